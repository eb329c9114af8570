using System.Text.Json.Serialization;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Execution;

/// <summary>Counts what a command has done. It is the result that --json writes, whose names scripts rely on. A command that fails has a result, too.</summary>
internal sealed class Tally(TimeProvider time)
{
    private const double MiB = 1 << 20;

    /// <summary>The number of errors that are kept. Further errors are only counted.</summary>
    private const int MaxErrors = 1000;

    private readonly long _started = time.GetTimestamp();
    private readonly List<ErrorJson> _errors = [];
    private TimeSpan? _elapsed;
    private long _requests;

    public string Operation { get; set; } = string.Empty;

    public long Bytes { get; set; }

    /// <summary>Gets or sets how many of the <see cref="Bytes"/> an earlier, interrupted run had transferred.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long ResumedBytes { get; set; }

    /// <summary>Gets or sets the bytes that the same command can resume.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long KeptBytes { get; set; }

    public long Objects { get; set; }

    public long Failed { get; set; }

    /// <summary>Gets or sets the number of objects that were skipped because they are archived.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Archived { get; set; }

    /// <summary>Gets or sets the number of archived objects that are being restored.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Restoring { get; set; }

    public double Seconds => Math.Round(Elapsed.TotalSeconds, 6);

    public double MibPerSecond => HasRate && Elapsed.TotalSeconds is > 0 and double seconds ? Math.Round((Bytes - ResumedBytes) / MiB / seconds, 3) : 0;

    public long Requests
    {
        get => Interlocked.Read(ref _requests);
        set => Interlocked.Exchange(ref _requests, value);
    }

    public long Retries { get; set; }

    public long Hedged { get; set; }

    public long PeakBufferBytes { get; set; }

    /// <summary>Gets what limited the speed of a copy.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? LimitedBy => Times is null || Bytes == 0 ? null : BottleneckText.GetJsonName(Times.Bottleneck);

    /// <summary>Gets where the time of a copy went.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TimeJson? Time => Times is null ? null : TimeJson.From(Times);

    /// <summary>Gets or sets the concurrency at the end of a copy.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ConcurrencyJson? Concurrency { get; set; }

    public ChecksumJson Checksum { get; set; } = ChecksumJson.None;

    /// <summary>Gets the properties that copies don't have.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [JsonPropertyName("lost")]
    public LostJson? LostNames => Lost.ToJson();

    /// <summary>Gets or sets the result of a comparison of a folder.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ComparedJson? Compared { get; set; }

    /// <summary>Gets or sets the result of a synchronization.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public SyncedJson? Synced { get; set; }

    /// <summary>Gets or sets what a run like this dry run would send; null if nothing was planned.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public StoreUsageJson? Estimate { get; set; }

    /// <summary>Gets or sets what was sent; null if no client was created.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public StoreUsageJson? Usage { get; set; }

    /// <summary>Gets the errors.</summary>
    public IReadOnlyList<ErrorJson> Errors => _errors;

    /// <summary>Gets or sets a value that indicates whether the <see cref="Bytes"/> were transferred, and have a rate. A listing only counts them.</summary>
    [JsonIgnore]
    public bool HasRate { get; set; } = true;

    /// <summary>Gets or sets where the time of a finished copy went.</summary>
    [JsonIgnore]
    public TransferTimes? Times { get; set; }

    /// <summary>Gets the properties that copies don't have.</summary>
    [JsonIgnore]
    public LostProperties Lost { get; } = new();

    /// <summary>Gets or sets the time of the transfer. The default is the time since the start.</summary>
    [JsonIgnore]
    public TimeSpan Elapsed
    {
        get => _elapsed ?? time.GetElapsedTime(_started);
        set => _elapsed = value;
    }

    /// <summary>Sets the time and the requests of an operation that has ended.</summary>
    public void Set(TransferStatistics statistics) => (Elapsed, Requests, Retries) = (statistics.Elapsed, statistics.Requests, statistics.Retries);

    /// <summary>Counts a request that has ended.</summary>
    public void CountRequest() => Interlocked.Increment(ref _requests);

    public void AddError(ErrorJson error)
    {
        if (_errors.Count < MaxErrors)
        {
            _errors.Add(error);
        }
    }
}
