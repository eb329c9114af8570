namespace Transfer.S3.Concurrency;

/// <summary>Specifies what a request shows about the load of the store.</summary>
internal enum RequestOutcome
{
    /// <summary>Nothing: the request was canceled, failed for an unrelated reason, had no data, or waited for a rate limit.</summary>
    Unknown,

    /// <summary>All data of the request was transferred.</summary>
    Completed,

    /// <summary>The store throttled the request, or didn't respond in time.</summary>
    Rejected,
}
