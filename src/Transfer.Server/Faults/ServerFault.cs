using System.Text.Json.Serialization;

namespace Transfer.S3.Server;

/// <summary>The faults that an <see cref="EmbeddedS3Server"/> can simulate. See <see cref="FaultPlan"/>.</summary>
/// <remarks>
/// Each fault can affect certain requests only. A fault in the body of a response has no effect if the response has no body. "Nothing is done" means that the
/// operation isn't performed.
/// </remarks>
[JsonConverter(typeof(JsonStringEnumConverter<ServerFault>))]
public enum ServerFault
{
    /// <summary>All requests: the response is 503 SlowDown, and nothing is done.</summary>
    SlowDown,

    /// <summary>All requests: the response is 503 SlowDown with <c>Retry-After: 1</c>, and nothing is done.</summary>
    SlowDownRetryAfter,

    /// <summary>All requests: the response is 500 InternalError, and nothing is done.</summary>
    InternalError,

    /// <summary>All requests: the response is 429 TooManyRequests, and nothing is done.</summary>
    TooManyRequests,

    /// <summary>All requests: the response is 400 ExpiredToken, and nothing is done.</summary>
    ExpireToken,

    /// <summary>
    /// All requests: from this request on, the clock of the server is one hour ahead, as long as the plan is set. Requests that were signed with another time are
    /// rejected with 403 RequestTimeTooSkewed and the time of the server. Requests that were signed with the time of the server succeed.
    /// </summary>
    SkewClock,

    /// <summary>All connections: the connection is closed as soon as it is accepted.</summary>
    RefuseConnection,

    /// <summary>All connections of a server with a certificate: the server sends the TLS alert "handshake failure".</summary>
    FailHandshake,

    /// <summary>All requests: the connection is reset instead of a response, and nothing is done.</summary>
    ResetBeforeHeaders,

    /// <summary>
    /// Requests whose response has a body: the connection is reset after half of the body. As with any reset, data that is still in transit is lost, which can be
    /// all of a short response.
    /// </summary>
    ResetInBody,

    /// <summary>Requests whose response has a body: half of the body is sent, and the connection is closed normally.</summary>
    TruncateBody,

    /// <summary>
    /// All requests: the body of the request is received, nothing is done, and no response is sent until the client disconnects or the server is disposed.
    /// </summary>
    StallHeaders,

    /// <summary>All requests: the response is delayed by 20 times <see cref="EmbeddedS3Server.FirstByteDelay"/>.</summary>
    SlowHeaders,

    /// <summary>Requests whose response has a body: half of the body is sent, and nothing more until the client disconnects or the server is disposed.</summary>
    StallBody,

    /// <summary>Requests whose response has a body: the body is sent in 20 pieces, at intervals of 100 milliseconds.</summary>
    SlowDrip,

    /// <summary>GetObject: one bit in the middle of the body is inverted. The headers, including checksums, are those of the correct content.</summary>
    FlipDownload,

    /// <summary>PutObject and UploadPart: one bit in the middle of the body is inverted before the server processes it.</summary>
    FlipUpload,

    /// <summary>GetObject of a range: the response contains another range, in Content-Range and in the body.</summary>
    WrongRange,

    /// <summary>GetObject of a range: the response has status 200 and contains the whole object.</summary>
    IgnoreRange,

    /// <summary>
    /// GetObject and HeadObject: the response contains another ETag, as if the object had been replaced. A request with If-Match is rejected with 412.
    /// </summary>
    ChangeETag,

    /// <summary>CompleteMultipartUpload: the response has status 200 and an InternalError in its body, and nothing is done.</summary>
    ErrorInCompletion,

    /// <summary>Requests that change something (PUT, POST, and DELETE): the operation is performed, and the connection is reset instead of a response.</summary>
    LoseReply,
}
