namespace Transfer.S3.Requests;

/// <summary>Counts the attempts of one request, or of one part over all of its requests. It is created when the first attempt fails or is given up.</summary>
internal sealed class Attempts
{
    /// <summary>Gets or sets the number of attempts that failed.</summary>
    public int Total { get; set; }

    /// <summary>Gets or sets the number of consecutive failures that count against the limit.</summary>
    public int Failed { get; set; }

    /// <summary>Gets or sets the number of consecutive failures because of throttling. They are limited by time.</summary>
    public int Throttled { get; set; }

    /// <summary>Gets or sets the timestamp of the first of <see cref="Throttled"/>.</summary>
    public long ThrottledSince { get; set; }

    /// <summary>Gets or sets the timestamp of the first failure of all.</summary>
    public long FailedSince { get; set; }

    /// <summary>Gets or sets the number of consecutive failures because nothing could be reached. They are limited by number and by time.</summary>
    public int Unreachable { get; set; }

    /// <summary>Gets or sets the timestamp of the first of <see cref="Unreachable"/>.</summary>
    public long UnreachableSince { get; set; }

    /// <summary>Gets or sets the number of consecutive failures of the provider of the credentials. They are limited by time.</summary>
    public int WithoutCredentials { get; set; }

    /// <summary>Gets or sets the timestamp of the first of <see cref="WithoutCredentials"/>.</summary>
    public long WithoutCredentialsSince { get; set; }

    /// <summary>Gets or sets a value that indicates whether the single retry for failures such as a corrupt body was used.</summary>
    public bool WasRepeated { get; set; }

    /// <summary>Gets or sets the number of consecutive attempts that were given up because they were overdue. They aren't failures.</summary>
    public int Hedges { get; set; }

    /// <summary>Resets the counts of consecutive failures, because the last attempt made progress.</summary>
    public void Progressed() => (Failed, Throttled, Unreachable, WithoutCredentials, WasRepeated, Hedges) = (0, 0, 0, 0, false, 0);
}
