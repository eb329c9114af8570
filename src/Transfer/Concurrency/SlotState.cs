namespace Transfer.S3.Concurrency;

/// <summary>Specifies what a <see cref="RequestSlot"/> counts for.</summary>
internal enum SlotState
{
    /// <summary>The limit that adapts, and the number of requests that the user allows.</summary>
    Granted,

    /// <summary>Only the number that the user allows, because the request waits for a rate limit of its transfer.</summary>
    Parked,

    /// <summary>Nothing. The request has ended.</summary>
    Released,
}
