namespace Transfer.Wire;

/// <summary>What can be done about a failed request.</summary>
internal enum FailureKind
{
    /// <summary>The same request may succeed later.</summary>
    Transient,

    /// <summary>The store asked for fewer requests.</summary>
    Throttled,

    /// <summary>If-Match or If-None-Match did not hold.</summary>
    PreconditionFailed,

    /// <summary>The range begins behind the end of the object.</summary>
    RangeNotSatisfiable,

    /// <summary>The store does not read ranges: it sends all of the object, or would.</summary>
    RangeIgnored,

    /// <summary>The bucket is elsewhere, and the answer does not say where.</summary>
    Elsewhere,

    /// <summary>The bytes that arrived are not those that were sent.</summary>
    Corrupt,

    /// <summary>Asking again would bring the same answer.</summary>
    Final,
}
