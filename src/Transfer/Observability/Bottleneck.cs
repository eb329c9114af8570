namespace Transfer;

/// <summary>What limited the speed of a transfer. <see cref="TransferTimes.Bottleneck"/> tells how it is determined.</summary>
public enum Bottleneck
{
    /// <summary>Nothing was transferred, so nothing limited it.</summary>
    None,

    /// <summary>The network: requests spent most of their time transferring data, or the client found that more requests at a time transfer no more data.</summary>
    Network,

    /// <summary>Latency: requests spent most of their time waiting for the response to begin. Larger parts or more requests at a time can help.</summary>
    Latency,

    /// <summary>The store: it doesn't respond faster to more requests at a time, or it copied objects by itself.</summary>
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
    /// The concurrency that was set (<see cref="TransferClientOptions.Concurrency"/>), or the highest one that the client chooses by itself. All requests that it allows were
    /// in flight, and others waited. If it isn't set, the client finds the concurrency that fills the link.
    /// </summary>
    Concurrency,

    /// <summary>The store throttled requests (503 or 429).</summary>
    Throttling,

    /// <summary>Requests failed, and the client waited before it retried them.</summary>
    Retries,

    /// <summary>The rate limit that was set.</summary>
    RateLimit,
}
