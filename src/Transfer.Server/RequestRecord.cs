namespace Transfer.S3.Server;

/// <summary>A request that the server has answered, as kept in <see cref="EmbeddedS3Server.Requests"/>.</summary>
/// <param name="Operation">The S3 operation, for example <c>GetObject</c>; <c>Unknown</c> if the request isn't a known operation.</param>
/// <param name="Method">The HTTP method.</param>
/// <param name="Bucket">The name of the bucket; <see langword="null"/> if the request contains none.</param>
/// <param name="Key">The key of the object; <see langword="null"/> if the request contains none.</param>
/// <param name="PartNumber">The part number; <see langword="null"/> if the request contains none.</param>
/// <param name="Range">The Range header of the request; <see langword="null"/> if there is none.</param>
/// <param name="StatusCode">The status code of the response; 0 if the client disconnected before there was a response.</param>
/// <param name="ErrorCode">The S3 error code of the response; <see langword="null"/> if the request succeeded.</param>
/// <param name="RequestId">The <c>x-amz-request-id</c> of the response.</param>
/// <param name="ConnectionId">The ID of the connection. Requests with the same ID used the same connection.</param>
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
