namespace Transfer.Benchmarks.Compare;

/// <summary>What contenders talk to.</summary>
internal enum ServerKind
{
    /// <summary>The embedded server, objects in memory.</summary>
    Embedded,

    /// <summary>The same over TLS.</summary>
    Tls,

    /// <summary>The first one with 30 ms before the first byte of every answer.</summary>
    Slow,

    /// <summary>nginx, which sends by sendfile: cheaper than any managed server, so the client shows more. It can't be uploaded to.</summary>
    Nginx,

    /// <summary>The same over TLS.</summary>
    NginxTls,

    /// <summary>The embedded server, which checks and drops what is uploaded.</summary>
    Discarding,

    /// <summary>The same over TLS.</summary>
    DiscardingTls,

    /// <summary>The embedded server on a link of 800 MiB/s, with 40 MiB/s for each connection and 40 ms before the first byte of every response.</summary>
    Link,

    /// <summary>The same, which drops what is uploaded.</summary>
    DiscardingLink,

    /// <summary>The embedded server, which responds 503 to requests beyond 40 in flight, with 40 MiB/s for each connection and 40 ms before the first byte of every response.</summary>
    Throttling,

    /// <summary>The discarding link, which halves 4 seconds after the first request and recovers 10 seconds later.</summary>
    HalvingLink,

    /// <summary>The embedded server with 20 ms before the first byte of every response, but 400 ms for 1 % of them.</summary>
    SlowRequests,

    /// <summary>The embedded server with 20 ms before the first byte of every response, and 200 ms from 4 seconds after the first request on.</summary>
    AllSlow,

    /// <summary>The discarding link, on which latency and the time of each connection's data become ten times as long 2 seconds after the first request.</summary>
    AllSlowLink,

    /// <summary>The embedded server on the link, on which the data of 2 % of the responses takes at least 2 seconds.</summary>
    SlowConnections,

    /// <summary>The discarding server in plain text, with 20 ms before the first byte of every answer.</summary>
    DiscardingSlow,
}
