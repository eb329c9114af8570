namespace Transfer.IntegrationTests.Infrastructure;

/// <summary>A request as it arrived at a <see cref="ScriptedServer"/>.</summary>
internal sealed record ScriptedRequest(string Method, string Target, IReadOnlyDictionary<string, string> Headers, byte[] Body)
{
    public string? Header(string name) => Headers.GetValueOrDefault(name);

    /// <summary>The first byte that a range asks for; null where the request has no range.</summary>
    public int? RangeStart => Header("Range") is { } range ? int.Parse(range["bytes=".Length..range.IndexOf('-')]) : null;

    /// <summary>The last byte that a range asks for; null where the request has no range.</summary>
    public int? RangeEnd => Header("Range") is { } range ? int.Parse(range[(range.IndexOf('-') + 1)..]) : null;
}
