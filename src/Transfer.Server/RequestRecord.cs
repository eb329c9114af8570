namespace Transfer.S3.Server;

/// <summary>A request that the server has answered, as kept in <see cref="EmbeddedS3Server.Requests"/>.</summary>
public sealed record RequestRecord
{
    /// <summary>Gets the S3 operation, for example <c>GetObject</c>; <c>Unknown</c> if the request isn't a known operation.</summary>
    public required string Operation { get; init; }

    /// <summary>Gets the HTTP method.</summary>
    public required string Method { get; init; }

    /// <summary>Gets the name of the bucket; <see langword="null"/> if the request contains none.</summary>
    public string? Bucket { get; init; }

    /// <summary>Gets the key of the object; <see langword="null"/> if the request contains none.</summary>
    public string? Key { get; init; }

    /// <summary>Gets the part number; <see langword="null"/> if the request contains none.</summary>
    public int? PartNumber { get; init; }

    /// <summary>Gets the Range header of the request; <see langword="null"/> if there is none.</summary>
    public string? Range { get; init; }

    /// <summary>Gets the status code of the response; 0 if the client disconnected before there was a response.</summary>
    public required int StatusCode { get; init; }

    /// <summary>Gets the S3 error code of the response; <see langword="null"/> if the request succeeded.</summary>
    public string? ErrorCode { get; init; }

    /// <summary>Gets the <c>x-amz-request-id</c> of the response.</summary>
    public required string RequestId { get; init; }

    /// <summary>Gets the ID of the connection. Requests with the same ID used the same connection.</summary>
    public required string ConnectionId { get; init; }
}
