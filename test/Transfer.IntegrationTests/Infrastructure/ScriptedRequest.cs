namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>A request as a <see cref="ScriptedServer"/> received it.</summary>
internal sealed record ScriptedRequest(string Method, string Target, IReadOnlyDictionary<string, string> Headers, byte[] Body)
{
    public string? Header(string name) => Headers.GetValueOrDefault(name);

    /// <summary>Gets the first byte of the requested range; null if the request has no range.</summary>
    public int? RangeStart => Header("Range") is { } range ? int.Parse(range["bytes=".Length..range.IndexOf('-')]) : null;

    /// <summary>Gets the last byte of the requested range; null if the request has no range.</summary>
    public int? RangeEnd => Header("Range") is { } range ? int.Parse(range[(range.IndexOf('-') + 1)..]) : null;
}
