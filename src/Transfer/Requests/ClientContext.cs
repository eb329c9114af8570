using Microsoft.Extensions.Logging;
using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>The state that all transfers of a client share.</summary>
internal sealed class ClientContext : IAsyncDisposable
{
    private readonly TaskGroup _transfers;
    private readonly RateLimits _downloadLimits;
    private readonly RateLimits _uploadLimits;
    private readonly ClientGauges _gauges;
    private readonly LinkWatch _link;

    /// <param name="wires">Send requests.</param>
    /// <param name="store">The identity of the store.</param>
    /// <param name="settings">The validated options.</param>
    /// <param name="random">The source of the jitter of retries.</param>
    public ClientContext(WireRouter wires, string store, ClientSettings settings, Random random)
    {
        _transfers = new TaskGroup();
        Usage = new UsageCounter(settings.Limit, settings.TimeProvider);
        Wire = new ObservedWire(wires, settings.RequestObserver, settings.Meter, Usage, settings.TimeProvider);
        Store = store;
        Settings = settings;
        Logger = settings.LoggerFactory.CreateLogger("Transfer");
        MemoryWaitLimit waitLimit = new(settings.TimeProvider, settings.StallTimeout, () => Requests!.IsIdle);
        Pool = new ChunkPool(settings.ChunkSizeBytes, new MemoryBudget(settings.MemoryBytes, waitLimit), settings.ArrayPool);
        Pages = new PageCache(Pool, settings.TimeProvider);
        RequestQueue queue = new(settings.MaxConcurrency, settings.TimeProvider, settings.IsConcurrencyGiven ? null : () => NewController(settings.MaxConcurrency), LogChange);
        StoreSigns signs = new(settings.TimeProvider);
        _link = new LinkWatch(signs, settings.Wire.Link, settings.TimeProvider, Logger);
        Requests = new RequestPipeline(
            queue,
            new HedgePolicy(settings.HedgeRequests, () => queue.InFlight, settings.TimeProvider),
            new RetryPolicy(settings.MaxAttempts, settings.RetryFor, settings.StallTimeout, random, settings.TimeProvider),
            signs,
            _link,
            Usage,
            settings.Wire.FirstResponse,
            settings.StallTimeout,
            settings.TimeProvider,
            Logger);
        _downloadLimits = RateLimits.OfClient(settings.RateLimit, RequestDirection.Download);
        _uploadLimits = RateLimits.OfClient(settings.RateLimit, RequestDirection.Upload);
        _gauges = new ClientGauges(queue, Pool.Budget);
        settings.Meter.Add(_gauges);
        Profile = wires.Profile;
        if (!wires.KeepsSecrets)
        {
            Log.PlainHttp(Logger);
        }
    }

    /// <summary>
    /// Initializes a new instance of the <see cref="ClientContext"/> class for transfers of a client from another store. They share the memory, the slots, and the limits
    /// of the client, which waits for them. Only the wire is their own.
    /// </summary>
    public ClientContext(ClientContext client, WireRouter wires, string store)
    {
        _transfers = client._transfers;
        _downloadLimits = client._downloadLimits;
        _uploadLimits = client._uploadLimits;
        _gauges = client._gauges;
        _link = client._link;
        Settings = client.Settings;
        Logger = client.Logger;
        Pool = client.Pool;
        Pages = client.Pages;
        Requests = client.Requests;
        Usage = client.Usage;
        Wire = new ObservedWire(wires, Settings.RequestObserver, Settings.Meter, Usage, Settings.TimeProvider);
        Store = store;
        Profile = wires.Profile;
    }

    public ObservedWire Wire { get; }

    /// <summary>Gets what counts the requests and their content.</summary>
    public UsageCounter Usage { get; }

    /// <summary>Gets the identity of the store: its address or its region. It is never shown to users.</summary>
    public string Store { get; }

    public ClientSettings Settings { get; }

    public ChunkPool Pool { get; }

    /// <summary>Gets the cached data of objects that are read at any position.</summary>
    public PageCache Pages { get; }

    /// <summary>Gets the way of all requests to the store.</summary>
    public RequestPipeline Requests { get; }

    /// <summary>Gets the queue in which requests wait for slots.</summary>
    public RequestQueue Queue => Requests.Queue;

    /// <summary>Gets what is known about the times of requests.</summary>
    public HedgePolicy Hedging => Requests.Hedging;

    /// <summary>Gets what is known about the store.</summary>
    public StoreProfile Profile { get; }

    public TimeProvider Time => Settings.TimeProvider;

    public ILogger Logger { get; }

    /// <summary>Begins a transfer of one object.</summary>
    /// <exception cref="InvalidOperationException">Thrown when the handle belongs to another transfer.</exception>
    public TransferRun Begin(
        TransferDirection direction,
        ObjectAddress address,
        IProgress<TransferProgress>? progress,
        TransferEvents? events,
        TransferRun? whole = null,
        RateLimit? rateLimit = null,
        TransferHandle? handle = null)
    {
        TransferSubject subject = new(direction, address.Bucket, address.Key);
        RateLimits limits = whole?.Reporter.Limits ?? GetLimits(direction, rateLimit, handle?.RateLimit);
        TransferRun run = NewRun(subject, new TransferTrace(subject, Settings.Meter, isDirectory: false, isPart: whole is not null), progress, Settings.Events, events, whole?.Reporter, limits, handle);
        run.Uploads = whole?.Uploads;
        return run;
    }

    /// <summary>
    /// Begins a call for many objects. Listeners of the client get the events of the individual objects only. A call that only compares isn't
    /// a transfer.
    /// </summary>
    public TransferRun BeginWhole(
        TransferDirection direction,
        ObjectAddress address,
        IProgress<TransferProgress>? progress,
        TransferEvents? events,
        RateLimit? rateLimit = null,
        RateLimit? rateLimitOfEach = null,
        TransferHandle? handle = null,
        bool isTransfer = true)
    {
        TransferSubject subject = new(direction, address.Bucket, address.Key);
        TransferTrace? trace = isTransfer ? new TransferTrace(subject, Settings.Meter, isDirectory: true, isPart: false) : null;
        RateLimits limits = GetLimits(direction, rateLimit, rateLimitOfEach, handle?.RateLimit);
        return NewRun(subject, trace, progress, null, events, null, limits, handle);
    }

    /// <summary>Begins a call that isn't a transfer. Its requests are counted, without events or progress.</summary>
    /// <param name="bucket">The bucket.</param>
    /// <param name="key">The key.</param>
    /// <param name="whole">The transfer that it is a part of; null for none.</param>
    /// <param name="rateLimit">Its rate limit; null for none.</param>
    /// <param name="countsBytes">Whether its bytes are a part of the progress of <paramref name="whole"/>.</param>
    public TransferRun BeginCounting(string bucket, string key, TransferRun? whole = null, RateLimit? rateLimit = null, bool countsBytes = true)
    {
        RateLimits limits = whole?.Reporter.Limits ?? GetLimits(TransferDirection.Download, rateLimit);
        TransferSubject subject = new(TransferDirection.Download, bucket, key);
        return new TransferRun(this, new TransferReporter(subject, Time, Logger, whole?.Reporter, limits, meter: Settings.Meter, countsBytes: countsBytes));
    }

    /// <summary>Gets the limits of a transfer: those of the client, and its own. Copies transfer no data through the client.</summary>
    public RateLimits GetLimits(TransferDirection direction, params ReadOnlySpan<RateLimit?> own)
    {
        (RateLimits limits, RequestDirection way) = direction switch
        {
            TransferDirection.Download => (_downloadLimits, RequestDirection.Download),
            TransferDirection.Upload => (_uploadLimits, RequestDirection.Upload),
            _ => (RateLimits.None, default),
        };
        foreach (RateLimit? limit in direction == TransferDirection.Copy ? [] : own)
        {
            limits = limits.With(limit, way);
        }

        return limits;
    }

    private TransferRun NewRun(
        TransferSubject subject,
        TransferTrace? trace,
        IProgress<TransferProgress>? progress,
        TransferEvents? clientEvents,
        TransferEvents? events,
        TransferReporter? whole,
        RateLimits limits,
        TransferHandle? handle)
    {
        handle?.Claim();
        TransferReporter reporter = new(subject, Time, Logger, whole, limits, handle, Queue, Settings.Meter) { Trace = trace };
        whole?.Bottleneck.BeginObject();
        reporter.Listen(progress, clientEvents, events, Settings.ProgressInterval);
        handle?.Start(reporter, Queue, Time);
        return new TransferRun(this, reporter);
    }

    private static ConcurrencyController NewController(int most) => new(TransferDefaults.LeastConcurrency, TransferDefaults.StartConcurrency, most);

    private void LogChange(RequestDirection direction, ConcurrencyChange change)
    {
        if (double.IsNaN(change.InFlight))
        {
            Log.ConcurrencyStarted(Logger, direction, change.From, change.To); // nothing was measured yet
            return;
        }

        Log.ConcurrencyChanged(
            Logger,
            direction,
            change.From,
            change.To,
            change.Reason,
            change.Efficiency,
            change.InFlight,
            change.BytesPerSecond / Sizes.MiB,
            change.Rejected);
    }

    /// <summary>Gets the token that is canceled when the client is disposed.</summary>
    public CancellationToken Stopping => _transfers.Stopping;

    /// <summary>Registers a transfer. Disposing the client waits until it has left.</summary>
    public void EnterTransfer() => _transfers.Enter();

    /// <summary>Removes a transfer that has ended and has released its resources.</summary>
    public void LeaveTransfer() => _transfers.Leave();

    /// <summary>Stops all transfers and waits for them. It is called once.</summary>
    public async ValueTask DisposeAsync()
    {
        await _transfers.StopAsync().ConfigureAwait(false);
        Pool.Budget.Close();
        await _transfers.WhenEndedAsync().ConfigureAwait(false);
        Pages.Dispose();
        _link.Dispose();
        _transfers.Dispose();
        Settings.Meter.Remove(_gauges);
        Wire.Dispose();
    }
}
