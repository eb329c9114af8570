namespace Transfer.S3.Server.Http;

/// <summary>The exception for a request that is rejected with an S3 error.</summary>
internal sealed class S3Exception(int status, string code, string message, params KeyValuePair<string, string>[] details) : Exception(message)
{
    public int Status { get; } = status;

    public string Code { get; } = code;

    /// <summary>Gets the additional elements of the error document, in the order in which they are written.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Details { get; } = details;

    /// <summary>Gets the additional headers of the response.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Headers { get; init; } = [];
}
