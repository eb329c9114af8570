namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The servers that contenders use.</summary>
internal enum ServerKind
{
    /// <summary>The embedded server with objects in memory.</summary>
    Embedded,

    /// <summary>The embedded server with objects in memory, over TLS.</summary>
    Tls,

    /// <summary>The embedded server with objects in memory, and 30 ms before the first byte of every response.</summary>
    Slow,

    /// <summary>
    /// nginx with sendfile. It costs less than any managed server, so differences between clients are clearer. It doesn't support uploads.
    /// </summary>
    Nginx,

    /// <summary>nginx over TLS.</summary>
    NginxTls,

    /// <summary>The embedded server, which verifies and discards uploads.</summary>
    Discarding,

    /// <summary>The discarding server over TLS.</summary>
    DiscardingTls,

    /// <summary>
    /// The embedded server on a link of 800 MiB/s, with 40 MiB/s for each connection and 40 ms before the first byte of every response.
    /// </summary>
    Link,

    /// <summary>The embedded server on the link, which discards uploads.</summary>
    DiscardingLink,

    /// <summary>
    /// The embedded server, which responds 503 to requests beyond 40 in flight, with 40 MiB/s for each connection and 40 ms to the first byte.
    /// </summary>
    Throttling,

    /// <summary>The discarding server on a link of 32 MiB/s, with 20 ms before the first byte of every response.</summary>
    SlowLink,

    /// <summary>The embedded server on a link of 50 MiB/s, with 20 ms before the first byte of every response.</summary>
    NarrowLink,

    /// <summary>The discarding server with 4 MiB/s for each connection and 40 ms to the first byte, so that many connections are needed.</summary>
    ManyConnections,

    /// <summary>The discarding server with 1 MiB/s for each connection and 40 ms to the first byte. Many clients need little of the machine.</summary>
    NarrowConnections,

    /// <summary>The server with many connections, which responds 503 to 0.2 % of the requests, however many are in flight.</summary>
    RejectingFew,

    /// <summary>The same server, which responds 503 to 1 % of the requests, however many are in flight.</summary>
    Rejecting,

    /// <summary>The discarding link, which halves 4 seconds after the first request and recovers 10 seconds later.</summary>
    HalvingLink,

    /// <summary>The embedded server with 20 ms before the first byte of every response, but 400 ms for 1 % of them.</summary>
    SlowRequests,

    /// <summary>The embedded server with 20 ms before the first byte of every response, and 200 ms from 4 seconds after the first request.</summary>
    AllSlow,

    /// <summary>
    /// The discarding link, on which the latency and the data of each connection take ten times as long from 2 seconds after the first request.
    /// </summary>
    AllSlowLink,

    /// <summary>The embedded server on the link, on which the data of 2 % of the responses takes at least 2 seconds.</summary>
    SlowConnections,

    /// <summary>
    /// The embedded server with objects in memory, 50 MiB/s for each connection, and 20 ms before the first byte of every response.
    /// </summary>
    Remote,

    /// <summary>The discarding server over plain HTTP, with 20 ms before the first byte of every response.</summary>
    DiscardingSlow,

    /// <summary>The cheap server of <see cref="Peers"/>, which discards uploads.</summary>
    Peer,

    /// <summary>The cheap server over TLS.</summary>
    PeerTls,

    /// <summary>The cheap server on the same link as <see cref="Link"/>: 800 MiB/s, 40 MiB/s for each connection, and 40 ms before each response.</summary>
    PeerLink,

    /// <summary>The cheap server with 20 ms before each response.</summary>
    PeerNear,

    /// <summary>The cheap server with 20 ms before each response, and 20 MiB/s for each connection.</summary>
    PeerNarrow,

    /// <summary>The cheap server behind an emulated link; see <see cref="WanSettings"/>.</summary>
    WanHome,

    /// <inheritdoc cref="WanHome"/>
    WanNear,

    /// <inheritdoc cref="WanHome"/>
    WanLossy,

    /// <inheritdoc cref="WanHome"/>
    WanLong,

    /// <inheritdoc cref="WanHome"/>
    WanSmall,

    /// <inheritdoc cref="WanHome"/>
    WanDrop,
}
