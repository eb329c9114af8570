namespace Transfer.Server;

/// <summary>The ways in which an <see cref="EmbeddedS3Server"/> can be made to fail; see <see cref="FaultPlan"/>.</summary>
/// <remarks>Each says which requests it can strike. A fault in the body of an answer that turns out to have none comes to nothing.</remarks>
public enum ServerFault
{
    /// <summary>Any request: 503 SlowDown, nothing is done.</summary>
    SlowDown,

    /// <summary>Any request: 503 SlowDown with <c>Retry-After: 1</c>, nothing is done.</summary>
    SlowDownRetryAfter,

    /// <summary>Any request: 500 InternalError, nothing is done.</summary>
    InternalError,

    /// <summary>Any request: 429 TooManyRequests, nothing is done.</summary>
    TooManyRequests,

    /// <summary>Any request: 400 ExpiredToken, nothing is done.</summary>
    ExpireToken,

    /// <summary>
    /// Any request: from this one on the server's clock is an hour ahead. A request that was signed by another clock is answered with 403 RequestTimeTooSkewed and the
    /// server's time; one that was signed by the server's time passes. It lasts as long as the plan.
    /// </summary>
    SkewClock,

    /// <summary>Any connection: it is closed as soon as it is accepted.</summary>
    RefuseConnection,

    /// <summary>Any connection of a server with a certificate: TLS's alert "handshake failure" is all that the client gets.</summary>
    FailHandshake,

    /// <summary>Any request: the connection is reset instead of an answer, nothing is done.</summary>
    ResetBeforeHeaders,

    /// <summary>
    /// Requests that are answered with a body: the connection is reset at the half of it. As with any reset, what is still on its way is lost: of a short answer
    /// that may be all of it.
    /// </summary>
    ResetInBody,

    /// <summary>Requests that are answered with a body: half of it is sent, and the connection properly closed.</summary>
    TruncateBody,

    /// <summary>Any request: its body is taken in, nothing is done, and no answer ever begins. Ends when the client leaves or the server is disposed.</summary>
    StallHeaders,

    /// <summary>Any request: its response is held back 20 times as long as <see cref="EmbeddedS3Server.FirstByteDelay"/>.</summary>
    SlowHeaders,

    /// <summary>Requests that are answered with a body: it stops at its half and never goes on. Ends when the client leaves or the server is disposed.</summary>
    StallBody,

    /// <summary>Requests that are answered with a body: it comes in 20 pieces, 100 ms apart.</summary>
    SlowDrip,

    /// <summary>GetObject: one bit in the middle of the body is the other one. The headers, checksums among them, are those of the right bytes.</summary>
    FlipDownload,

    /// <summary>PutObject and UploadPart: one bit in the middle of the body is the other one before the server looks at it.</summary>
    FlipUpload,

    /// <summary>GetObject of a range: another range is answered, in Content-Range and body.</summary>
    WrongRange,

    /// <summary>GetObject of a range: 200 and the whole object.</summary>
    IgnoreRange,

    /// <summary>GetObject and HeadObject: the object is answered as if it had another ETag, which fails an If-Match with 412.</summary>
    ChangeETag,

    /// <summary>CompleteMultipartUpload: 200 with an InternalError in the body, nothing is done.</summary>
    ErrorInCompletion,

    /// <summary>Requests that change something (PUT, POST, DELETE): the work is done, and the connection reset instead of the answer.</summary>
    LoseReply,
}
