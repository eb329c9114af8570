namespace Transfer.S3.Requests;

/// <summary>Gets the times of the last seconds from sums that only grow. It isn't thread-safe.</summary>
internal sealed class RecentTimes
{
    /// <summary>Half of the longest window. Two samples are enough, and a part that takes seconds adds its times only at its end.</summary>
    private static readonly TimeSpan SampleInterval = TimeSpan.FromSeconds(2.5);

    private (TransferTimeSums Sums, TimeSpan At) _since;
    private (TransferTimeSums Sums, TimeSpan At) _next;

    /// <param name="sums">The times since the start of the transfer.</param>
    /// <param name="at">The time since the start of the transfer.</param>
    /// <returns>The times of the window, and its length.</returns>
    public (TransferTimeSums Sums, TimeSpan Elapsed) Update(in TransferTimeSums sums, TimeSpan at)
    {
        if (at - _next.At >= SampleInterval)
        {
            _since = _next;
            _next = (sums, at);
        }

        return (sums.Since(_since.Sums), at - _since.At);
    }
}
