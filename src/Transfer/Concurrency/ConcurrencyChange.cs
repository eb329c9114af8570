namespace Transfer.S3.Concurrency;

/// <summary>A change of a limit, and the sample that led to it.</summary>
/// <param name="From">The limit before the change.</param>
/// <param name="To">The limit after the change.</param>
/// <param name="Reason">The reason for the change.</param>
/// <param name="Efficiency">The best duration of requests divided by their current duration.</param>
/// <param name="InFlight">The average number of requests in flight.</param>
/// <param name="BytesPerSecond">The rate of all requests together. Requests smaller than <see cref="RequestCost.MinBytes"/> count as that size.</param>
/// <param name="Rejected">The number of rejected requests.</param>
internal readonly record struct ConcurrencyChange(int From, int To, ConcurrencyReason Reason, double Efficiency, double InFlight, double BytesPerSecond, int Rejected);
