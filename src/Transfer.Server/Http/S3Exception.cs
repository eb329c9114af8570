namespace Transfer.Server.Http;

/// <summary>A request that is answered with an S3 error.</summary>
internal sealed class S3Exception(int status, string code, string message, params KeyValuePair<string, string>[] details) : Exception(message)
{
    public int Status { get; } = status;

    public string Code { get; } = code;

    /// <summary>Elements beside the common ones, in the order they are written.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Details { get; } = details;

    /// <summary>Headers that the answer carries beside the common ones.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Headers { get; init; } = [];
}
