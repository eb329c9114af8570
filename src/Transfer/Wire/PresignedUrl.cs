namespace Transfer.S3.Wire;

/// <summary>The URL of a presigned request. Whoever has it can send the request, so it is never logged.</summary>
/// <param name="Url">The URL, exactly as it was signed.</param>
/// <param name="Headers">The headers that must be sent with it, without those that describe the connection or the length of the body.</param>
internal sealed record PresignedUrl(Uri Url, IReadOnlyDictionary<string, string> Headers)
{
    /// <summary>Creates a URL that isn't changed, because its signature is computed from how it is written.</summary>
    public static Uri Parse(string text) => new(text, in AsWritten);

    public override string ToString() => nameof(PresignedUrl);

    private static readonly UriCreationOptions AsWritten = new() { DangerousDisablePathAndQueryCanonicalization = true };
}
