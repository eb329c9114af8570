using System.Buffers;
using System.IO.Pipelines;
using Amazon.S3;
using Microsoft.Extensions.Logging;
using Transfer.S3.Concurrency;
using Transfer.S3.Configuration;
using Transfer.S3.Copy;
using Transfer.S3.Download;
using Transfer.S3.Files;
using Transfer.S3.Ranges;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Upload;
using Transfer.S3.Verify;
using Transfer.S3.Wire;

namespace Transfer.S3;

/// <summary>
/// Transfers objects between an S3-compatible store and files, streams, pipes, and memory: in parallel, in bounded memory, and with verified checksums.
/// </summary>
/// <remarks>
/// Create one instance for each application and share it, because its transfers share one memory budget and one set of request slots. The client doesn't dispose the
/// <see cref="IAmazonS3"/> that it was created with. Dispose the client after its last transfer has ended.
/// </remarks>
/// <example>
/// <code>
/// AmazonS3Client s3 = new(new AmazonS3Config { RegionEndpoint = Amazon.RegionEndpoint.EUCentral1 });
/// await using TransferClient client = new(s3);
/// await client.UploadAsync("report.csv", "bucket", "report.csv");
/// await client.DownloadAsync("bucket", "report.csv", "copy-of-report.csv");
/// </code>
/// </example>
public sealed partial class TransferClient : ITransferClient, IAsyncDisposable
{
    /// <summary>The name of the <see cref="System.Diagnostics.Metrics.Meter"/> that clients report metrics to. If nothing listens, nothing is measured.</summary>
    /// <remarks>
    /// The names of metrics and attributes follow OpenTelemetry's semantic conventions, and units are UCUM units. Attributes of metrics never contain a bucket or a key.
    /// </remarks>
    public const string MeterName = "Transfer.S3";

    /// <summary>The name of the <see cref="System.Diagnostics.ActivitySource"/> of transfers, with one span for each transfer. A transfer of a directory is one span.</summary>
    public const string ActivitySourceName = "Transfer.S3";

    /// <summary>
    /// The name of the <see cref="System.Diagnostics.ActivitySource"/> of requests, with one span for each attempt of a request. They are the children of the transfer's
    /// span. A large object has thousands of them, so listen to this source only if you need them.
    /// </summary>
    public const string RequestActivitySourceName = "Transfer.S3.Requests";

    private static readonly DownloadOptions DefaultDownload = new();
    private static readonly UploadOptions DefaultUpload = new();
    private readonly ClientContext _context;
    private int _disposed;

    /// <summary>Initializes a new instance of the <see cref="TransferClient"/> class.</summary>
    /// <param name="s3">The AWS SDK client. Its credentials, region, and endpoint are used for the requests.</param>
    /// <param name="options">The options, which are validated and copied; <see langword="null"/> for the defaults.</param>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when an option is out of range. The message contains its name, value, and range.</exception>
    /// <exception cref="ArgumentException">
    /// Thrown when an environment variable that is used for an option is invalid. The message contains its name and value.
    /// </exception>
    public TransferClient(IAmazonS3 s3, TransferClientOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(s3);
        S3 = s3;
#pragma warning disable CA5394 // jitter of retries, no secret
        options ??= new TransferClientOptions();
        ClientSettings settings = ClientSettings.From(options, s3.Config?.MaxConnectionsPerServer);
        WireRouter wires = WireSelection.Create(s3, settings.Wire);
        string store = WireSelection.GetStore(s3);
        StoreMemory.Recall(settings.StateDirectory, store, wires.Profile, settings.TimeProvider);
        bool refusesUnequalParts = wires.Profile.GetSupport(StoreTrait.UnequalParts, StoreProfile.EveryBucket) == StoreSupport.Refused;
        settings = settings with
        {
            EqualUploadParts = settings.EqualUploadParts || refusesUnequalParts,
            MaxUploadParts = Math.Min(settings.MaxUploadParts, wires.Profile.KnownStore?.MaxParts ?? int.MaxValue),
        };
        _context = new ClientContext(wires, store, settings, new Random());
#pragma warning restore CA5394
        ILogger logger = _context.Logger;
        if (logger.IsEnabled(LogLevel.Information))
        {
            string changes = ChangedOptions.Describe(options, settings.FromEnvironment);
            string name = options.Name.Length == 0 ? "default" : options.Name;
            Requests.Log.ClientStarted(logger, name, changes);
        }
    }

    private TransferClient(IAmazonS3 s3, ClientContext context)
    {
        S3 = s3;
        _context = context;
    }

    /// <summary>Gets the number of bytes of buffer memory that are currently rented.</summary>
    public long RentedBytes => _context.Pool.RentedBytes;

    /// <summary>Gets the largest number of bytes of buffer memory that were rented at the same time since the client was created.</summary>
    public long PeakRentedBytes => _context.Pool.PeakRentedBytes;

    /// <summary>Gets what the client has sent to its stores and received since it was created: the requests by the classes of prices, and their content.</summary>
    public StoreUsage Usage => _context.Usage.Current;

    /// <summary>
    /// Gets what the requests of the client wait for; <see langword="null"/> if none of them waits for the store, or if data is being processed. It is for those who tell
    /// users why nothing happens.
    /// </summary>
    public StoreWait? Waiting => _context.Requests.GetWait();

    /// <summary>Gets the number of downloads and other read requests that the client has in flight, and the number that it allows.</summary>
    /// <remarks>Objects up to 1 MiB have a limit of their own. It is shown if only such objects were transferred last.</remarks>
    public ConcurrencyState DownloadConcurrency => _context.Queue.GetState(RequestDirection.Download).Concurrency;

    /// <summary>Gets the number of uploads and other write requests that the client has in flight, and the number that it allows.</summary>
    /// <remarks>Objects up to 1 MiB have a limit of their own. It is shown if only such objects were transferred last.</remarks>
    public ConcurrencyState UploadConcurrency => _context.Queue.GetState(RequestDirection.Upload).Concurrency;

    /// <summary>Gets or sets the maximum number of concurrent requests in both directions together.</summary>
    /// <value>
    /// The default is <see cref="TransferClientOptions.MaxConcurrency"/>, or the highest number that the client chooses by itself. Range: 1 to the default.
    /// </value>
    /// <remarks>The value can be changed while transfers run. Requests in flight are not stopped.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when the value is out of range.</exception>
    public int MaxConcurrency
    {
        get => _context.Queue.Total;
        set => _context.Queue.Total = OptionGuard.Number(nameof(MaxConcurrency), value, 1, _context.Settings.MaxConcurrency);
    }

    internal IAmazonS3 S3 { get; }

    internal ClientContext Context => _context;

    /// <inheritdoc/>
    public async Task<ObjectInfo> GetInfoAsync(string bucket, string key, ObjectAccessOptions? options = null, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        ObjectAddress address = GetAddress(bucket, key, options);
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.BeginCounting(bucket, key).RunAsync((run, token) => ObjectLookup.RunAsync(run, address, token), cancellationToken).ConfigureAwait(false);
    }

    private ObjectAddress GetAddress(string bucket, string key, ObjectAccessOptions? options)
    {
        OptionGuard.Address(bucket, key);
        ObjectAddress address = new(bucket, key, options?.VersionId, new ReadAccess(options?.RequesterPays ?? false, options?.CustomerKey));
        CheckKeepsSecret(address);
        return address;
    }

    /// <inheritdoc/>
    public async Task<ObjectReadStream> OpenReadAsync(string bucket, string key, DownloadOptions? options = null, CancellationToken cancellationToken = default)
        => await OpenReadAsync(Check(bucket, key, options, cancellationToken), options, cancellationToken).ConfigureAwait(false);

    /// <summary>Opens an object with a checked request.</summary>
    /// <remarks>To be called by an asynchronous method, so that the span of its caller stays current for the caller.</remarks>
    internal Task<ObjectReadStream> OpenReadAsync(DownloadRequest request, DownloadOptions? options, CancellationToken cancellationToken)
    {
        TransferRun run = Begin(request, null, options);
        run.Reporter.Trace?.Start();
        return OrderedDownload.OpenAsync(run, request, run.Reporter.EndAsync, cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<SeekableObjectStream> OpenSeekableAsync(string bucket, string key, SeekableReadOptions? options = null, CancellationToken cancellationToken = default)
    {
        options ??= new SeekableReadOptions();
        DownloadRequest request = Check(bucket, key, options, cancellationToken) with { Verify = options.Verify };
        OptionGuard.Time(nameof(options.CacheRetention), options.CacheRetention, TimeSpan.Zero, TimeSpan.FromDays(1));
        if (options.MaxReadAheadBytes is { } most)
        {
            OptionGuard.Size(nameof(options.MaxReadAheadBytes), most, 0, Sizes.MaxObject);
        }

        TransferRun run = Begin(request, null, options);
        run.Reporter.Trace?.Start();
        return await SeekableOpening.RunAsync(run, request, options, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<RangeBuffers> ReadRangesAsync(
        string bucket, string key, IReadOnlyList<ObjectRange> ranges, RangeReadOptions? options = null, CancellationToken cancellationToken = default)
    {
        RangeReadRequest request = Check(bucket, key, ranges, options, cancellationToken);
        return request.Ranges.Length == 0
            ? new RangeBuffers([], null)
            : await request.Begin(_context).RunAsync((run, token) => RangeRead.ReadAllAsync(run, request, token), cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<RangeBuffer> EnumerateRangesAsync(
        string bucket, string key, IReadOnlyList<ObjectRange> ranges, RangeReadOptions? options = null, CancellationToken cancellationToken = default)
    {
        RangeReadRequest request = Check(bucket, key, ranges, options, CancellationToken.None); // the enumeration observes the token
        return RangeEnumeration.RunAsync(_context, request, cancellationToken);
    }

    /// <inheritdoc/>
    public async Task<DownloadResult> DownloadAsync(
        string bucket, string key, string path, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => (await DownloadAsync(Check(bucket, key, options, cancellationToken), path, options, progress, cancellationToken).ConfigureAwait(false)).Result;

    /// <summary>Downloads an object to a file or a device with a checked request.</summary>
    internal async Task<CompletedDownload> DownloadAsync(
        DownloadRequest request, string path, DownloadOptions? options, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
    {
        string target = LocalTarget.Resolve(path);
        if (LocalTarget.IsSpecial(target))
        {
            FileStream device = new(target, new FileStreamOptions { Mode = FileMode.Open, Access = FileAccess.Write, Share = FileShare.ReadWrite, BufferSize = 0 });
            await using (device.ConfigureAwait(false))
            {
                return await DownloadAsync(request, device, options, progress, cancellationToken).ConfigureAwait(false);
            }
        }

        FileTarget file = FileTarget.From(target, options ?? DefaultDownload);
        if (!file.Overwrite && File.Exists(target))
        {
            throw new TransferException($"'{path}' already exists, and {nameof(DownloadOptions.Overwrite)} is false.") { Bucket = request.Address.Bucket, Key = request.Address.Key };
        }

        return await Begin(request, progress, options).RunAsync((run, token) => FileDownload.RunAsync(run, request, file, token), cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<DownloadResult> DownloadAsync(
        string bucket, string key, Stream destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        DownloadRequest request = Check(bucket, key, options, cancellationToken);
        ArgumentNullException.ThrowIfNull(destination);
        if (!destination.CanWrite)
        {
            throw new ArgumentException("The destination stream does not support writing.", nameof(destination));
        }

        return (await DownloadAsync(request, destination, options, progress, cancellationToken).ConfigureAwait(false)).Result;
    }

    private Task<CompletedDownload> DownloadAsync(
        DownloadRequest request, Stream destination, DownloadOptions? options, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
        => Begin(request, progress, options).RunAsync(
            async (run, token) =>
            {
                CompletedDownload download = await OrderedDownload.RunAsync(run, request, (memory, _, writeToken) => destination.WriteAsync(memory, writeToken), token).ConfigureAwait(false);
                await destination.FlushAsync(token).ConfigureAwait(false);
                return download;
            },
            cancellationToken);

    /// <inheritdoc/>
    public async Task<DownloadResult> DownloadAsync(
        string bucket, string key, PipeWriter destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        DownloadRequest request = Check(bucket, key, options, cancellationToken);
        ArgumentNullException.ThrowIfNull(destination);
        PipeDestination pipe = new(destination, request.Address);
        return (await Begin(request, progress, options).RunAsync((run, token) => OrderedDownload.RunAsync(run, request, pipe.WriteAsync, token), cancellationToken).ConfigureAwait(false)).Result;
    }

    /// <inheritdoc/>
    public async Task<UploadResult> UploadAsync(
        string path, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        return (await UploadAsync(path, Check(bucket, key, options, cancellationToken, path), options, progress, cancellationToken).ConfigureAwait(false)).Result;
    }

    /// <summary>Uploads a file, a device, or a pipe with a checked request.</summary>
    internal async Task<CompletedUpload> UploadAsync(
        string path, UploadRequest request, UploadOptions? options, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
    {
        options ??= DefaultUpload;
        LocalSource local = await LocalSource.OpenAsync(path, request, cancellationToken).ConfigureAwait(false);
        await using (local.ConfigureAwait(false))
        {
            request = local.Source is FileSource file ? request.ForFile(file, options) : request;
            return await UploadAsync(local.Source, request, options, progress, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public async Task<UploadResult> UploadAsync(
        Stream source, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        return (await UploadAsync(source, Check(bucket, key, options, cancellationToken), options, progress, cancellationToken).ConfigureAwait(false)).Result;
    }

    /// <summary>Uploads a stream with a checked request.</summary>
    internal Task<CompletedUpload> UploadAsync(
        Stream source, UploadRequest request, UploadOptions? options, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
        => source.CanRead
            ? UploadAsync(new StreamSource(source, (source as ObjectReadStream)?.RemainingBytes ?? request.Length), request, options, progress, cancellationToken)
            : throw new ArgumentException("The source stream does not support reading.", nameof(source));

    /// <inheritdoc/>
    public async Task<UploadResult> UploadAsync(
        PipeReader source, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        UploadRequest request = Check(bucket, key, options, cancellationToken);
        return (await UploadAsync(new PipeSource(source, request.Length), request, options, progress, cancellationToken).ConfigureAwait(false)).Result;
    }

    /// <inheritdoc/>
    public async Task<UploadResult> UploadAsync(
        ReadOnlySequence<byte> source, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        UploadRequest request = Check(bucket, key, options, cancellationToken);
        return (await UploadAsync(new MemorySource(source), request, options, progress, cancellationToken).ConfigureAwait(false)).Result;
    }

    /// <inheritdoc/>
    public async Task<CopyResult> CopyAsync(
        S3Uri source, S3Uri target, CopyOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0, this);
        CopyPlan plan = CopyPlan.From(source, target, options ?? new CopyOptions(), _context.Settings);
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.Begin(TransferDirection.Copy, plan.Target, progress, options?.Events, handle: options?.Handle)
            .RunAsync(async (run, token) => (await new CopyCoordinator(run, plan).RunAsync(token).ConfigureAwait(false)).Result, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<CopyResult> CopyAsync(
        S3Uri source, TransferClient targetClient, S3Uri target, StoreCopyOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(targetClient);
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0, this);
        targetClient.ThrowIfDisposed();
        options ??= new StoreCopyOptions();
        OptionGuard.Address(source);
        OptionGuard.Address(target);
        StoreCopy copy = new(_context, targetClient._context, options);
        (DownloadRequest from, UploadRequest to) = copy.Check(source, target);
        CheckKeepsSecret(from.Address);
        targetClient.CheckKeepsSecret(to.Address);
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.BeginCounting(source.Bucket, source.Key).RunAsync(
            (reading, token) => targetClient._context
                .Begin(TransferDirection.Upload, to.Address, progress, options.Target.Events, rateLimit: options.Target.RateLimit, handle: options.Target.Handle)
                .RunAsync(async (writing, stopping) => (await copy.RunAsync(from, to, null, reading, writing, stopping).ConfigureAwait(false)).Result, token),
            cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<VerifyResult> VerifyAsync(string path, string bucket, string key, VerifyOptions? options = null, CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0, this);
        VerifyRequest request = VerifyRequest.From(path, bucket, key, options ?? new VerifyOptions());
        CheckKeepsSecret(request.Address);
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.BeginCounting(bucket, key, rateLimit: options?.RateLimit)
            .RunAsync((run, token) => new ObjectComparer(run, request).RunAsync(token), cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<AbortUploadsResult> AbortUploadsAsync(
        string bucket, string prefix, AbortUploadsOptions? options = null, CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0, this);
        OptionGuard.Bucket(bucket);
        ArgumentNullException.ThrowIfNull(prefix);
        options ??= new AbortUploadsOptions();
        ArgumentOutOfRangeException.ThrowIfLessThan(options.OlderThan ?? TimeSpan.Zero, TimeSpan.Zero, nameof(options.OlderThan));
        cancellationToken.ThrowIfCancellationRequested();
        return await _context.BeginCounting(bucket, prefix)
            .RunAsync((run, token) => new UploadSweep(run, bucket, prefix).RunAsync(options, token), cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<ObjectWriteStream> OpenWriteAsync(string bucket, string key, UploadOptions? options = null, CancellationToken cancellationToken = default)
    {
        UploadRequest request = Check(bucket, key, options, cancellationToken);
        if (request.Length is { } length)
        {
            throw new ArgumentException($"{nameof(options.Length)} is {length}; it is for sources that are read. The object has what is written until {nameof(ObjectWriteStream.CompleteAsync)}.", nameof(options));
        }

        TransferRun run = _context.Begin(TransferDirection.Upload, request.Address, null, options?.Events, rateLimit: options?.RateLimit, handle: options?.Handle);
        run.Reporter.Trace?.Start();
        return new ObjectWriteStream(await ObjectWriter.OpenAsync(run, request, cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Stops the transfers that are still running and waits until they have cleaned up. They fail with an <see cref="ObjectDisposedException"/>.</summary>
    /// <returns>A task that completes when all requests have ended and all buffers have been returned.</returns>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            await _context.DisposeAsync().ConfigureAwait(false);
        }
    }

    private Task<CompletedUpload> UploadAsync(
        IUploadSource source, UploadRequest request, UploadOptions? options, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
        => _context.Begin(TransferDirection.Upload, request.Address, progress, options?.Events, rateLimit: options?.RateLimit, handle: options?.Handle).RunAsync(
            async (run, token) =>
            {
                PublishedUpload upload = await new UploadCoordinator(run, request, source).RunAsync(token).ConfigureAwait(false);
                return new CompletedUpload(upload.ToResult(run.Reporter), upload.Object);
            },
            cancellationToken);

    internal DownloadRequest Check(string bucket, string key, ObjectReadOptions? options, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0, this);
        DownloadRequest request = DownloadRequest.From(bucket, key, options ?? DefaultDownload, _context.Settings);
        CheckKeepsSecret(request.Address);
        cancellationToken.ThrowIfCancellationRequested();
        return request;
    }

    private RangeReadRequest Check(string bucket, string key, IReadOnlyList<ObjectRange> ranges, RangeReadOptions? options, CancellationToken cancellationToken)
    {
        options ??= RangeReadOptions.Default;
        return RangeReadRequest.From(Check(bucket, key, options, cancellationToken), ranges, options);
    }

    internal UploadRequest Check(string bucket, string key, UploadOptions? options, CancellationToken cancellationToken, string? sourceName = null)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0, this);
        UploadRequest request = UploadRequest.From(bucket, key, options ?? DefaultUpload, _context.Settings, sourceName);
        CheckKeepsSecret(request.Address);
        cancellationToken.ThrowIfCancellationRequested();
        return request;
    }

    private void CheckKeepsSecret(ObjectAddress address)
    {
        if (address.Access.CustomerKey is not null && !_context.Wire.KeepsSecrets)
        {
            throw new TransferException($"{address}: a customer-provided key is sent only over HTTPS, but the endpoint is plain HTTP on another machine. Use an HTTPS endpoint.")
            {
                Bucket = address.Bucket,
                Key = address.Key,
            };
        }
    }

    private void ThrowIfDisposed() => ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0, this);

    private TransferRun Begin(DownloadRequest request, IProgress<TransferProgress>? progress, ObjectReadOptions? options)
        => _context.Begin(TransferDirection.Download, request.Address, progress, options?.Events, rateLimit: options?.RateLimit, handle: (options as DownloadOptions)?.Handle);
}
