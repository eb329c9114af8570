using Transfer.Cli.Rendering;

namespace Transfer.Cli.Execution;

/// <summary>What an invocation has done so far: what the result, also that of a failure, is made of.</summary>
internal sealed class Tally(TimeProvider time)
{
    private const double MiB = 1 << 20;

    /// <summary>Failures that are kept; any others are only counted.</summary>
    private const int MaxErrors = 1000;

    private readonly long _started = time.GetTimestamp();
    private readonly List<ErrorJson> _errors = [];
    private TimeSpan? _elapsed;

    public long Bytes { get; set; }

    /// <summary>Those of <see cref="Bytes"/> that an earlier, interrupted run had moved.</summary>
    public long ResumedBytes { get; set; }

    /// <summary>Bytes that are left to the same command, run again.</summary>
    public long KeptBytes { get; set; }

    /// <summary>Whether <see cref="Bytes"/> were moved, so that they have a rate; a listing only counts them.</summary>
    public bool HasRate { get; set; } = true;

    public long Objects { get; set; }

    public long Failed { get; set; }

    public long Requests { get; set; }

    public long Retries { get; set; }

    public long Hedged { get; set; }

    public long PeakBufferBytes { get; set; }

    /// <summary>Gets or sets where the time of a finished copy went.</summary>
    public TransferTimes? Times { get; set; }

    /// <summary>Gets or sets the concurrency at the end of a copy.</summary>
    public ConcurrencyJson? Concurrency { get; set; }

    public ChecksumJson Checksum { get; set; } = ChecksumJson.None;

    /// <summary>What a comparison of many came to.</summary>
    public ComparedJson? Compared { get; set; }

    /// <summary>Failures that were kept.</summary>
    public IReadOnlyList<ErrorJson> Errors => _errors;

    /// <summary>Time since the beginning, or what a command set as the time of its transfer alone.</summary>
    public TimeSpan Elapsed
    {
        get => _elapsed ?? time.GetElapsedTime(_started);
        set => _elapsed = value;
    }

    public void AddError(ErrorJson error)
    {
        if (_errors.Count < MaxErrors)
        {
            _errors.Add(error);
        }
    }

    public ResultJson ToResult(string operation)
    {
        double seconds = Elapsed.TotalSeconds;
        return new ResultJson
        {
            Operation = operation,
            Bytes = Bytes,
            ResumedBytes = ResumedBytes,
            KeptBytes = KeptBytes,
            Objects = Objects,
            Failed = Failed,
            Seconds = Math.Round(seconds, 6),
            MibPerSecond = HasRate && seconds > 0 ? Math.Round((Bytes - ResumedBytes) / MiB / seconds, 3) : 0,
            Requests = Requests,
            Retries = Retries,
            Hedged = Hedged,
            PeakBufferBytes = PeakBufferBytes,
            LimitedBy = Times is { } times ? BottleneckText.JsonOf(times.Bottleneck) : null,
            Time = Times is null ? null : TimeJson.Of(Times),
            Concurrency = Concurrency,
            Checksum = Checksum,
            Compared = Compared,
            Errors = _errors,
        };
    }
}
