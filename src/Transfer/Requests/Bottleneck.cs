using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>The factor that limited the speed of a transfer. <see cref="TransferTimes.Bottleneck"/> describes how it is determined.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<Bottleneck>))]
public enum Bottleneck
{
    /// <summary>No factor, because nothing was transferred.</summary>
    None,

    /// <summary>
    /// The network: requests spent most of their time transferring data, or the client found that more concurrent requests don't transfer more data.
    /// </summary>
    Network,

    /// <summary>The latency: requests spent most of their time waiting for responses to begin. Larger parts or more concurrent requests can help.</summary>
    Latency,

    /// <summary>The store: it doesn't respond faster to more concurrent requests, or it copied objects by itself.</summary>
    Store,

    /// <summary>The processor: received data waited to be decrypted, checked, and copied.</summary>
    Processor,

    /// <summary>The disk: files were read or written more slowly than the network could transfer them.</summary>
    Disk,

    /// <summary>The reader of a download: the stream, pipe, or caller that consumes the data.</summary>
    Reader,

    /// <summary>The source of an upload: the stream, pipe, or caller that supplies the data.</summary>
    Source,

    /// <summary>The memory limit (<see cref="TransferClientOptions.MemoryBytes"/>).</summary>
    Memory,

    /// <summary>
    /// The configured concurrency (<see cref="TransferClientOptions.MaxConcurrency"/>), or the highest one that the client chooses by itself. All allowed requests were
    /// in flight, and others waited.
    /// </summary>
    Concurrency,

    /// <summary>Throttling: the store rejected requests with status 503 or 429.</summary>
    Throttling,

    /// <summary>Retries: requests failed, and the client waited before it retried them.</summary>
    Retries,

    /// <summary>The configured rate limit (<see cref="TransferClientOptions.RateLimit"/>, or the limit of the transfer).</summary>
    RateLimit,
}
