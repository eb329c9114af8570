using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Execution;

/// <summary>Counts what a command has done, for its result. A command that fails has a result, too.</summary>
internal sealed class Tally(TimeProvider time)
{
    private const double MiB = 1 << 20;

    /// <summary>The number of errors that are kept. Further errors are only counted.</summary>
    private const int MaxErrors = 1000;

    private readonly long _started = time.GetTimestamp();
    private readonly List<ErrorJson> _errors = [];
    private TimeSpan? _elapsed;
    private long _requests;

    public long Bytes { get; set; }

    /// <summary>Gets or sets how many of the <see cref="Bytes"/> an earlier, interrupted run had transferred.</summary>
    public long ResumedBytes { get; set; }

    /// <summary>Gets or sets the bytes that the same command can resume.</summary>
    public long KeptBytes { get; set; }

    /// <summary>Gets or sets a value that indicates whether the <see cref="Bytes"/> were transferred, and have a rate. A listing only counts them.</summary>
    public bool HasRate { get; set; } = true;

    public long Objects { get; set; }

    public long Failed { get; set; }

    /// <summary>Gets or sets the number of objects that were skipped because they are archived.</summary>
    public long Archived { get; set; }

    /// <summary>Gets or sets the number of archived objects that are being restored.</summary>
    public long Restoring { get; set; }

    public long Requests
    {
        get => Interlocked.Read(ref _requests);
        set => Interlocked.Exchange(ref _requests, value);
    }

    public long Retries { get; set; }

    public long Hedged { get; set; }

    public long PeakBufferBytes { get; set; }

    /// <summary>Gets or sets where the time of a finished copy went.</summary>
    public TransferTimes? Times { get; set; }

    /// <summary>Gets or sets the concurrency at the end of a copy.</summary>
    public ConcurrencyJson? Concurrency { get; set; }

    public ChecksumJson Checksum { get; set; } = ChecksumJson.None;

    /// <summary>Gets the properties that copies don't have.</summary>
    public LostProperties Lost { get; } = new();

    /// <summary>Gets or sets the result of a comparison of a folder.</summary>
    public ComparedJson? Compared { get; set; }

    /// <summary>Gets or sets the result of a synchronization.</summary>
    public SyncedJson? Synced { get; set; }

    /// <summary>Counts a request that has ended.</summary>
    public void CountRequest() => Interlocked.Increment(ref _requests);

    /// <summary>Gets the errors.</summary>
    public IReadOnlyList<ErrorJson> Errors => _errors;

    /// <summary>Gets or sets the time of the transfer. The default is the time since the start.</summary>
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
            Archived = Archived,
            Restoring = Restoring,
            Seconds = Math.Round(seconds, 6),
            MibPerSecond = HasRate && seconds > 0 ? Math.Round((Bytes - ResumedBytes) / MiB / seconds, 3) : 0,
            Requests = Requests,
            Retries = Retries,
            Hedged = Hedged,
            PeakBufferBytes = PeakBufferBytes,
            LimitedBy = Times is { } times ? BottleneckText.GetJsonName(times.Bottleneck) : null,
            Time = Times is null ? null : TimeJson.From(Times),
            Concurrency = Concurrency,
            Checksum = Checksum,
            Lost = Lost.ToJson(),
            Compared = Compared,
            Synced = Synced,
            Errors = _errors,
        };
    }
}
