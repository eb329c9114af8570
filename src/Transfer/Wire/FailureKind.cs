namespace Transfer.S3.Wire;

/// <summary>The kind of an error, which determines how to handle it.</summary>
internal enum FailureKind
{
    /// <summary>The same request can succeed later.</summary>
    Transient,

    /// <summary>The store asked for fewer requests.</summary>
    Throttled,

    /// <summary>The provider of the credentials failed, so nothing was sent. It can succeed later.</summary>
    NoCredentials,

    /// <summary>If-Match, If-Unmodified-Since, or If-None-Match of a write was not met.</summary>
    PreconditionFailed,

    /// <summary>If-None-Match or If-Modified-Since of a read was not met: the caller already has the object.</summary>
    NotModified,

    /// <summary>The range begins after the end of the object.</summary>
    RangeNotSatisfiable,

    /// <summary>The store doesn't support ranges: it sends the whole object.</summary>
    RangeIgnored,

    /// <summary>The response isn't that of a store. It can be that of a proxy, so the request is repeated once.</summary>
    NotStore,

    /// <summary>The transfer was paused. The request is sent again afterward.</summary>
    Interrupted,

    /// <summary>The request took unusually long, so it was given up. It is sent again over another connection.</summary>
    Overdue,

    /// <summary>The link lost all packets, and works again. The request is sent again over another connection.</summary>
    LinkLost,

    /// <summary>Too many requests shared a slow link, so the request was given up. It is sent again later.</summary>
    Surplus,

    /// <summary>The data that arrived differs from the data that was sent.</summary>
    Corrupt,

    /// <summary>The same request would fail again.</summary>
    Final,
}
