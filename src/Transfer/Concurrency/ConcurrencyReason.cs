namespace Transfer.S3.Concurrency;

/// <summary>Specifies why the <see cref="ConcurrencyController"/> changed a limit.</summary>
internal enum ConcurrencyReason
{
    /// <summary>The limit doubles at the start.</summary>
    Starting,

    /// <summary>Requests take about their best duration, so the link may have capacity left.</summary>
    Room,

    /// <summary>Requests wait for each other.</summary>
    Crowded,

    /// <summary>Growth that transferred no more data is taken back.</summary>
    NoGain,

    /// <summary>A reduction that transferred less data is taken back.</summary>
    Loss,

    /// <summary>The store throttled requests, or didn't respond in time.</summary>
    Rejected,

    /// <summary>The store throttled as many of fewer requests, so the reduction is taken back.</summary>
    NotTheCause,
}
