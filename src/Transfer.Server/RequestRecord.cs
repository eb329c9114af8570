namespace Transfer.Server;

/// <summary>One request that the server answered, as it is kept in <see cref="EmbeddedS3Server.Requests"/>.</summary>
/// <param name="Operation">The S3 operation, for example <c>GetObject</c>; <c>Unknown</c> when the request is none.</param>
/// <param name="Method">The HTTP method.</param>
/// <param name="Bucket">The bucket; <see langword="null"/> when the request names none.</param>
/// <param name="Key">The object's key; <see langword="null"/> when the request names none.</param>
/// <param name="PartNumber">The part number asked for; <see langword="null"/> when there is none.</param>
/// <param name="Range">The Range header as it was sent; <see langword="null"/> when there is none.</param>
/// <param name="StatusCode">The status of the answer; 0 when the client left before there was one.</param>
/// <param name="ErrorCode">The S3 error code of the answer; <see langword="null"/> for a success.</param>
/// <param name="RequestId">The answer's <c>x-amz-request-id</c>.</param>
/// <param name="ConnectionId">Names the connection, so that reuse can be seen.</param>
public sealed record RequestRecord(
    string Operation,
    string Method,
    string? Bucket,
    string? Key,
    int? PartNumber,
    string? Range,
    int StatusCode,
    string? ErrorCode,
    string RequestId,
    string ConnectionId);
