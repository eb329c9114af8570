namespace Transfer.Wire;

/// <summary>What can be done about a failed request.</summary>
internal enum FailureKind
{
    /// <summary>The same request may succeed later.</summary>
    Transient,

    /// <summary>The store asked for fewer requests.</summary>
    Throttled,

    /// <summary>If-Match or If-Unmodified-Since did not hold, or If-None-Match of a write.</summary>
    PreconditionFailed,

    /// <summary>If-None-Match or If-Modified-Since did not hold of a read: the caller has the object already.</summary>
    NotModified,

    /// <summary>The range begins behind the end of the object.</summary>
    RangeNotSatisfiable,

    /// <summary>The store does not read ranges: it sends all of the object, or would.</summary>
    RangeIgnored,

    /// <summary>The bucket is elsewhere, and the answer does not say where.</summary>
    Elsewhere,

    /// <summary>The transfer was paused. The request is sent again afterward.</summary>
    Interrupted,

    /// <summary>The bytes that arrived are not those that were sent.</summary>
    Corrupt,

    /// <summary>Asking again would bring the same answer.</summary>
    Final,
}
