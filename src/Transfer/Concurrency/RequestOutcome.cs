namespace Transfer.Concurrency;

/// <summary>What a request tells about the load of the store.</summary>
internal enum RequestOutcome
{
    /// <summary>Nothing: it was canceled, failed for a reason of its own, carried no data, or waited for a rate limit.</summary>
    Unknown,

    /// <summary>All of its data was transferred.</summary>
    Completed,

    /// <summary>The store throttled it, or didn't respond in time.</summary>
    Rejected,
}
