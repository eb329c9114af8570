namespace Transfer.Scheduling;

/// <summary>The attempts of one request, or of one part over as many requests as it takes. Made at the first failure.</summary>
internal sealed class Attempts
{
    /// <summary>All attempts that failed.</summary>
    public int Total { get; set; }

    /// <summary>Failures in a row that count against the limit.</summary>
    public int Failed { get; set; }

    /// <summary>Failures in a row that the store answered with a request to slow down. They are limited by time.</summary>
    public int Throttled { get; set; }

    /// <summary>When the first of <see cref="Throttled"/> was answered.</summary>
    public long ThrottledSince { get; set; }

    /// <summary>Whether the one repetition was used that failures get which are seldom repeated.</summary>
    public bool WasRepeated { get; set; }

    /// <summary>The last attempt brought the transfer forward: what failed before it counts no more.</summary>
    public void Progressed() => (Failed, Throttled, WasRepeated) = (0, 0, false);
}
