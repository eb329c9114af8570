using System.Diagnostics;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The numbers that contests show in addition to those of all contests.</summary>
internal static class Figures
{
    private const string Share = "0.000";
    private const string Seconds = "0.00";
    private const string Percent = "0.00";
    private const string Milliseconds = "0.0";
    private const string Microseconds = "0.0";
    private const double MiB = 1024 * 1024;
    private const double Settled = 0.85;
    private static readonly TimeSpan Window = TimeSpan.FromSeconds(0.25);
    private static readonly TimeSpan Recovery = TimeSpan.FromSeconds(6);

    /// <summary>Gets the bytes transferred in addition to those of the objects, because requests were retried or hedged.</summary>
    public static Figure ExtraBytes { get; } = new("extra bytes %", static one => one.Server is { } server ? 100 * ((server.Last.Bytes / (one.Bytes / one.MeasuredShare)) - 1) : double.NaN, Percent);

    /// <summary>Gets the CPU time of the client for each GiB, for contests whose table shows that of each object.</summary>
    public static Figure CpuOfBytes { get; } = new("CPU s/GiB", static one => one.CpuSeconds / (one.Bytes / (1024 * MiB)), "0.00");

    /// <summary>Gets the rate in bytes, for contests whose table shows that in objects.</summary>
    public static Figure Rate { get; } = new("MiB/s", static one => one.Bytes / one.Seconds / MiB, "N0");

    /// <summary>Gets the wake-ups that a transfer costs, and what it transferred twice.</summary>
    public static IReadOnlyList<Figure> Wire { get; } =
    [
        new("context switches a GiB", static one => one.ContextSwitches / (one.Bytes / (1024 * MiB)), "N0"),
        ExtraBytes,
        new("requests", CountRequests, "N0"),
    ];

    /// <summary>Returns the share of an emulated link that the whole process uses, and the time beyond what the link needs.</summary>
    public static IReadOnlyList<Figure> WanShares(ServerKind kind)
    {
        WanSettings link = WanSettings.Find(kind)!;
        return
        [
            new("share of the link", one => one.Bytes / one.Seconds / link.BytesPerSecond, Share),
            new("s more than the link", one => one.Seconds - ((double)one.Bytes / link.BytesPerSecond) - (link.LossOfAll?.For.TotalSeconds ?? 0), Seconds),
        ];
    }

    /// <summary>Gets the requests in addition to one for each object.</summary>
    public static Figure ExtraRequests { get; }
        = new("extra requests %", one => one.Server is { } server ? 100.0 * (server.Last.Requests - one.Objects) / one.Objects : double.NaN, Percent);

    /// <summary>Gets the peak memory of the client's buffers.</summary>
    public static Figure PeakBuffers { get; } = new("peak buffers MiB", static one => one.PeakBufferBytes / MiB ?? double.NaN, "N0");

    /// <summary>Gets the cost of each request, and how often a thread waits for a lock.</summary>
    public static IReadOnlyList<Figure> Requests { get; } =
    [
        new("requests", CountRequests, "N0"),
        new("CPU µs a request", static one => one.CpuSeconds / CountRequests(one) * 1e6, Microseconds),
        new("lock contentions per 1,000 requests", static one => one.LockContentions / CountRequests(one) * 1e3, Share),
    ];

    /// <summary>Gets the time from the first to the last object that was published at once, which the contender tells.</summary>
    public static Figure PublishWindow { get; } = new("published within, s", static one => one.Latencies?.P999 / 1000 ?? double.NaN, Seconds);

    /// <summary>Gets what a ZIP archive costs. Its contenders mark the beginning, and the end of the list of entries.</summary>
    public static IReadOnlyList<Figure> Archive { get; } =
    [
        new("requests to list", static one => FromMark(one, 2, static sample => sample.Requests) - FromMark(one, 1, static sample => sample.Requests), "N0"),
        new("requests to read", static one => FromMark(one, 1, static sample => sample.Requests), "N0"),
        new("MiB to list", static one => (FromMark(one, 2, static sample => sample.Bytes) - FromMark(one, 1, static sample => sample.Bytes)) / MiB, Share),
        new("MiB beyond the entry", static one => (FromMark(one, 2, static sample => sample.Bytes) - ArchiveContent.ReadBytes) / MiB, Share),
        new("s to list", static one => SecondsFromMark(one, 2) - SecondsFromMark(one, 1), Share),
        new("s to read", static one => SecondsFromMark(one, 1), Share),
        PeakBuffers,
    ];

    /// <summary>Gets the requests and the received data for each read. The contenders mark the beginning.</summary>
    public static IReadOnlyList<Figure> Reads { get; } =
    [
        new("requests a read", static one => FromMark(one, 1, static sample => sample.Requests) / one.Objects, "0.00"),
        new("KiB a read", static one => FromMark(one, 1, static sample => sample.Bytes) / one.Objects / 1024, Milliseconds),
        PeakBuffers,
    ];

    /// <summary>Returns the requests and the received data of a run, whose beginning the contenders mark.</summary>
    /// <param name="neededBytes">The number of bytes that a run needs.</param>
    public static IReadOnlyList<Figure> Ranges(long neededBytes) =>
    [
        new("s", static one => SecondsFromMark(one, 1), Share),
        new("requests", static one => FromMark(one, 1, static sample => sample.Requests), "N0"),
        new("MiB not needed", one => (FromMark(one, 1, static sample => sample.Bytes) - neededBytes) / MiB, Share),
        PeakBuffers,
    ];

    /// <summary>Returns the time and the data of a run, whose beginning the contenders mark, relative to a run that transfers all of the object.</summary>
    /// <param name="name">The name of that run.</param>
    public static IReadOnlyList<Figure> Delta(string name) =>
    [
        new("s", static one => one.Seconds, Seconds),
        new("time × " + name, static one => one.Seconds, Share) { IsRelative = true },
        new("requests", static one => FromMark(one, 1, static sample => sample.Requests), "N0"),
        new("KiB sent", static one => FromMark(one, 1, static sample => sample.Received) / 1024, Milliseconds),
        new("KiB received", static one => FromMark(one, 1, static sample => sample.Bytes - sample.Received) / 1024, Milliseconds),
        new("both, % of the object", static one => 100 * FromMark(one, 1, static sample => sample.Bytes) / one.Bytes, Share),
    ];

    /// <summary>Returns the rate relative to that of the best reference.</summary>
    /// <param name="name">The name of the references.</param>
    public static Figure RelativeRate(string name) => new("× " + name, one => one.Bytes / one.Seconds, Share) { IsRelative = true };

    /// <summary>Returns the CPU time for each byte relative to that of the best reference.</summary>
    /// <param name="name">The name of the references.</param>
    public static Figure RelativeCpu(string name) => new("CPU × " + name, one => one.CpuSeconds / one.Bytes, Share) { IsRelative = true };

    /// <summary>Returns the share of the link that a transfer of one object uses: for all bytes, and for their second half.</summary>
    /// <param name="kind">The link.</param>
    /// <param name="isUpload">Whether the transfer ends when the server has the last byte. A download ends when the client is done.</param>
    public static IReadOnlyList<Figure> LinkShares(ServerKind kind, bool isUpload)
    {
        double link = ServerSettings.Find(kind).Shaping.LinkBytesPerSecond!.Value;
        return
        [
            new("share of the link", one => one.Bytes / one.Seconds / link, Share),
            new("second half", SecondHalf, Share),
            ExtraBytes,
        ];

        // Extra bytes make the second half start early, so they reduce the share.
        double SecondHalf(Measurement one) => one.Server is { } server
            ? one.Bytes / 2 / Stopwatch.GetElapsedTime(server.GetTime(one.Bytes / 2), isUpload ? server.LastReceived : one.Ended).TotalSeconds / link
            : double.NaN;
    }

    /// <summary>Returns the share of the link that all bytes use that the server sends, also those of transfers beside the measured one.</summary>
    /// <param name="kind">The link.</param>
    public static IReadOnlyList<Figure> LinkUse(ServerKind kind) =>
    [
        new("share of the link", one => one.Server is { } server ? server.Rate(server.Start, one.Ended) / ServerSettings.Find(kind).Shaping.LinkBytesPerSecond!.Value : double.NaN, Share),
    ];

    /// <summary>Returns the used share of a link during the measured time.</summary>
    public static Figure LinkUseOfRun(ServerKind kind) => new(
        "share of the link",
        one => one.Server is { } server
            ? server.Rate(one.Ended - (long)(one.Seconds * Stopwatch.Frequency), one.Ended) / ServerSettings.Find(kind).Shaping.LinkBytesPerSecond!.Value
            : double.NaN,
        Share);

    /// <summary>
    /// Returns the used share of the available rate before and after each change of a link, and the time until a short window uses most of it.
    /// </summary>
    public static IReadOnlyList<Figure> LinkPhases(ServerKind kind)
    {
        ServerSettings settings = ServerSettings.Find(kind);
        double[] available = [settings.Shaping.LinkBytesPerSecond!.Value, .. settings.Changes.Select(static one => (double)one.Shaping.LinkBytesPerSecond!.Value)];
        return
        [
            new("share before", one => PhaseShare(one, 0), Share),
            new("share halved", one => PhaseShare(one, 1), Share),
            new("share recovered", one => PhaseShare(one, 2), Share),
            new($"s to {Settled} halved", one => TimeToSettle(one, 1), Seconds),
            new($"s to {Settled} recovered", one => TimeToSettle(one, 2), Seconds),
            ExtraBytes,
        ];

        double PhaseShare(Measurement one, int phase) => Phase(one, phase) is var (from, to) ? one.Server!.Rate(from, to) / available[phase] : double.NaN;

        double TimeToSettle(Measurement one, int phase)
            => Phase(one, phase) is var (from, to) ? one.Server!.SecondsUntil(from, to, Window, Settled * available[phase]) : double.NaN;
    }

    /// <summary>Gets the share of requests that were rejected: for all requests, and for those after the first quarter of the time.</summary>
    public static IReadOnlyList<Figure> Rejections { get; } =
    [
        new("rejected %", one => one.Server is { } server ? Rejected(server, server.Start, one.Ended) : double.NaN, Percent),
        new("rejected % once settled", one => one.Server is { } server ? Rejected(server, server.Start + ((one.Ended - server.Start) / 4), one.Ended) : double.NaN, Percent),
    ];

    /// <summary>Gets the rates of the slowest and the fastest of several clients, relative to an equal share.</summary>
    public static IReadOnlyList<Figure> Shares { get; } =
    [
        new("slowest × equal share", static one => one.Shares is { } shares ? shares.Min() * shares.Length : double.NaN, Share),
        new("fastest × equal share", static one => one.Shares is { } shares ? shares.Max() * shares.Length : double.NaN, Share),
    ];

    /// <summary>Gets the latencies of single objects.</summary>
    public static IReadOnlyList<Figure> Latencies { get; } =
    [
        new("P50 ms", one => one.Latencies?.P50 ?? double.NaN, Milliseconds),
        new("P99 ms", one => one.Latencies?.P99 ?? double.NaN, Milliseconds),
        new("P99.9 ms", one => one.Latencies?.P999 ?? double.NaN, Milliseconds),
    ];

    /// <summary>Returns the 99th percentile relative to that of the reference.</summary>
    public static Figure RelativeP99(string name) => new("P99 × " + name, static one => one.Latencies?.P99 ?? double.NaN, Share) { IsRelative = true };

    /// <summary>Returns the rate after the last change of the shaping.</summary>
    public static IReadOnlyList<Figure> AfterTheChange(string name) =>
    [
        new("MiB/s once slow", static one => RateAfterTheChange(one) / MiB, "0.00"),
        new("× " + name + " once slow", RateAfterTheChange, Share) { IsRelative = true },
    ];

    // The server also counts the requests of the warm-up.
    private static double CountRequests(Measurement one) => one.Server is { } server ? server.Last.Requests * one.MeasuredShare : double.NaN;

    // Only the last run counts. The others are the warm-up.
    private static double FromMark(Measurement one, int fromEnd, Func<ServerSample, long> counter)
        => one.Server is { } server && server.Marks.Count >= fromEnd ? counter(server.Last) - counter(server.Marks[^fromEnd]) : double.NaN;

    private static double SecondsFromMark(Measurement one, int fromEnd)
        => one.Server is { } server && server.Marks.Count >= fromEnd ? Stopwatch.GetElapsedTime(server.Marks[^fromEnd].Timestamp, one.Ended).TotalSeconds : double.NaN;

    private static double Rejected(ServerRecording server, long from, long to)
        => 100 * (server.RejectedAt(to) - server.RejectedAt(from)) / (server.RequestsAt(to) - server.RequestsAt(from));

    private static double RateAfterTheChange(Measurement one) => one.Server is { Changes: [.., long change] } server
        ? (one.Bytes - server.BytesAt(change)) / Stopwatch.GetElapsedTime(change, one.Ended).TotalSeconds
        : double.NaN;

    private static (long From, long To)? Phase(Measurement one, int phase)
    {
        if (one.Server is not { } server || server.Changes.Count < phase)
        {
            return null;
        }

        long from = phase == 0 ? server.Start : server.Changes[phase - 1];
        long to = server.Changes.Count > phase ? server.Changes[phase] : from + (long)(Recovery.TotalSeconds * Stopwatch.Frequency);
        return server.LastByte > from ? (from, Math.Min(to, server.LastByte)) : null;
    }
}
