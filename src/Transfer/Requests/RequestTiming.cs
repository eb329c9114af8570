using System.Net;
using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>The timing of one attempt of a request. It begins when the request is passed to the connection, after any wait for a request slot.</summary>
public readonly record struct RequestTiming
{
    /// <summary>Initializes a new instance of the <see cref="RequestTiming"/> struct for the first attempt of a request.</summary>
    public RequestTiming()
    {
    }

    /// <summary>Gets the kind of the request.</summary>
    public RequestKind Kind { get; init; }

    /// <summary>Gets the time until the headers of the response were received. For an upload, it includes the time to send the body.</summary>
    public TimeSpan FirstByte { get; init; }

    /// <summary>
    /// Gets the time until the end of the response. For <see cref="RequestKind.GetObject"/>, it is the time until the last byte of the body was read,
    /// including waits for the reader.
    /// </summary>
    public TimeSpan Duration { get; init; }

    /// <summary>Gets the number of bytes of an object that were received or, if the request succeeded, sent.</summary>
    public long Bytes { get; init; }

    /// <summary>
    /// Gets the error; <see langword="null"/> if the request succeeded. It is an <see cref="OperationCanceledException"/> if the caller abandoned the request
    /// or, before its headers were received, because no data was transferred for <see cref="TransferClientOptions.StallTimeout"/>.
    /// </summary>
    [JsonConverter(typeof(ExceptionJsonConverter))]
    public Exception? Error { get; init; }

    /// <summary>Gets the number of the attempt: 1 for the first one, and more for retries of the request or of the rest of a part.</summary>
    public int Attempt { get; init; } = 1;

    /// <summary>Gets the HTTP status of the response; <see langword="null"/> if no response was received.</summary>
    public HttpStatusCode? StatusCode { get; init; }

    /// <summary>Gets the ID that the store gave the request; <see langword="null"/> if there is none.</summary>
    public string? RequestId { get; init; }
}
