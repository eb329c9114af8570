using System.Diagnostics;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The counters of a server during the measurement of one contender.</summary>
/// <param name="Samples">The counters every few milliseconds, in order.</param>
/// <param name="Changes">The times at which the shaping changed.</param>
/// <param name="Marks">The counters between phases of the contender's work, in order. See <see cref="Workbench.MarkAsync"/>.</param>
internal sealed record ServerRecording(IReadOnlyList<ServerSample> Samples, IReadOnlyList<long> Changes, IReadOnlyList<ServerSample> Marks)
{
    public ServerSample Last => Samples[^1];

    /// <summary>Gets the time of the first request.</summary>
    public long Start => Samples.First(static one => one.Requests > 0).Timestamp;

    /// <summary>Gets the time of the last byte of a body.</summary>
    public long LastByte => Samples.First(one => one.Bytes == Last.Bytes).Timestamp;

    /// <summary>Gets the time of the last byte that the server received. For a multipart upload, this is the end of the list of parts.</summary>
    public long LastReceived => Samples.First(one => one.Received == Last.Received).Timestamp;

    /// <summary>Returns the bytes that were transferred at a time, interpolated between two samples.</summary>
    public double BytesAt(long timestamp) => At(timestamp, static one => one.Bytes);

    public double RequestsAt(long timestamp) => At(timestamp, static one => one.Requests);

    public double RejectedAt(long timestamp) => At(timestamp, static one => one.Rejected);

    /// <summary>Returns the time at which the given number of bytes was transferred.</summary>
    public long GetTime(double bytes)
    {
        int next = 1;
        while (next < Samples.Count - 1 && Samples[next].Bytes < bytes)
        {
            next++;
        }

        (ServerSample a, ServerSample b) = (Samples[next - 1], Samples[next]);
        return b.Bytes == a.Bytes ? b.Timestamp : a.Timestamp + (long)((b.Timestamp - a.Timestamp) * Math.Clamp((bytes - a.Bytes) / (b.Bytes - a.Bytes), 0, 1));
    }

    /// <summary>Returns the bytes per second between two times.</summary>
    public double Rate(long from, long to) => (BytesAt(to) - BytesAt(from)) / Stopwatch.GetElapsedTime(from, to).TotalSeconds;

    /// <summary>Returns the seconds until a window first had a rate, including the window itself; infinity if none had.</summary>
    /// <param name="from">The start of the first window.</param>
    /// <param name="to">The end of the last window.</param>
    /// <param name="window">The length of a window.</param>
    /// <param name="bytesPerSecond">The rate.</param>
    public double SecondsUntil(long from, long to, TimeSpan window, double bytesPerSecond)
    {
        long length = (long)(window.TotalSeconds * Stopwatch.Frequency);
        foreach (long begin in Samples.Select(static one => one.Timestamp).Where(one => one > from && one + length <= to).Prepend(from))
        {
            if (Rate(begin, begin + length) >= bytesPerSecond)
            {
                return Stopwatch.GetElapsedTime(from, begin + length).TotalSeconds;
            }
        }

        return double.PositiveInfinity;
    }

    private double At(long timestamp, Func<ServerSample, long> counter)
    {
        int low = 0;
        int high = Samples.Count - 1;
        while (high - low > 1)
        {
            int middle = (low + high) / 2;
            (low, high) = Samples[middle].Timestamp <= timestamp ? (middle, high) : (low, middle);
        }

        (ServerSample a, ServerSample b) = (Samples[low], Samples[high]);
        double part = b.Timestamp == a.Timestamp ? 1 : Math.Clamp((timestamp - a.Timestamp) / (double)(b.Timestamp - a.Timestamp), 0, 1);
        return counter(a) + (part * (counter(b) - counter(a)));
    }
}
