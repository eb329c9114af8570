using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>The options that all calls share that read the content of an object.</summary>
/// <example>
/// <code>
/// ObjectInfo info = await client.GetInfoAsync("bucket", "report.csv");
/// SeekableReadOptions options = new() { IfMatch = info.ETag, MaxConcurrency = 4 }; // fails if the object was replaced
/// await using SeekableObjectStream stream = await client.OpenSeekableAsync("bucket", "report.csv", options);
/// </code>
/// </example>
public abstract record ObjectReadOptions : ObjectAccessOptions
{
    private protected ObjectReadOptions()
    {
    }

    /// <summary>Gets the size and the ETag of the object, if the caller already knows them.</summary>
    /// <value>
    /// The default is <see langword="null"/>: the response to the first request contains them, and other requests start after it. With a hint, all requests start at
    /// the same time, and a stream that can seek requests nothing before data is read.
    /// </value>
    public ObjectHint? Hint { get; init; }

    /// <summary>Gets the ETag that the object must have, with or without quotes. If it has another one, a <see cref="TransferException"/> with <see cref="TransferError.PreconditionFailed"/> is thrown.</summary>
    /// <value>The default is <see langword="null"/>, no condition.</value>
    /// <remarks>
    /// The first request carries the condition. Later requests use If-Match with the ETag of the first response. So with a condition, they start after that
    /// response even if there is a <see cref="Hint"/>.
    /// </remarks>
    public string? IfMatch { get; init; }

    /// <summary>Gets the maximum number of concurrent requests of this call or stream.</summary>
    /// <value>The default is <see langword="null"/>: <see cref="TransferClientOptions.MaxConcurrency"/>. Range: 1 to 1024.</value>
    public int? MaxConcurrency { get; init; }

    /// <summary>Gets the rate limits of this call or stream. The limits of the client apply as well.</summary>
    /// <value>The default is <see langword="null"/>: only the limits of the client apply. Transfers that share an instance are limited together.</value>
    [JsonIgnore]
    public RateLimit? RateLimit { get; init; }

    /// <summary>Gets the events of this call or stream, in addition to those of the client.</summary>
    /// <value>The default is <see langword="null"/>.</value>
    [JsonIgnore]
    public TransferEvents? Events { get; init; }
}
