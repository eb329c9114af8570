using System.Buffers;
using System.IO.Pipelines;
using Amazon.S3;
using Transfer.Download;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Upload;
using Transfer.Wire;

namespace Transfer;

/// <summary>Moves objects between a store and files, streams, pipes and memory: in parallel, in bounded memory, verified.</summary>
/// <remarks>
/// Make one for an application and share it: its transfers share one memory budget and one set of request slots. It does not
/// own the <see cref="IAmazonS3"/> that it was given. Dispose it after its last transfer has ended.
/// </remarks>
public sealed class TransferClient : ITransferClient, IAsyncDisposable
{
    private readonly ClientContext _context;
    private int _disposed;

    /// <summary>Makes a client.</summary>
    /// <param name="s3">The client that requests are sent with: its credentials, region and endpoint are used.</param>
    /// <param name="options">Settings, checked and copied now.</param>
    /// <exception cref="ArgumentOutOfRangeException">A setting is out of its range; the message names it, its value and the range.</exception>
    public TransferClient(IAmazonS3 s3, TransferClientOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(s3);
#pragma warning disable CA5394 // jitter of retries, no secret
        _context = new ClientContext(new SdkWire(s3), ClientSettings.From(options ?? new TransferClientOptions()), new Random());
#pragma warning restore CA5394
    }

    /// <summary>Bytes of buffer that are rented now.</summary>
    public long RentedBytes => _context.Pool.RentedBytes;

    /// <summary>The most bytes of buffer that were rented at once since the client was made.</summary>
    public long PeakRentedBytes => _context.Pool.PeakRentedBytes;

    internal ClientContext Context => _context;

    /// <inheritdoc/>
    public async Task<ObjectReadStream> OpenReadAsync(string bucket, string key, DownloadOptions? options = null, CancellationToken cancellationToken = default)
    {
        DownloadRequest request = Check(bucket, key, options, cancellationToken);
        return await OrderedDownload.OpenAsync(_context, request, Report(request, null, options), cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<DownloadResult> DownloadAsync(
        string bucket, string key, string path, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        DownloadRequest request = Check(bucket, key, options, cancellationToken);
        string target = LocalTarget.Resolve(path);
        if (LocalTarget.IsSpecial(target))
        {
            FileStream device = new(target, new FileStreamOptions { Mode = FileMode.Open, Access = FileAccess.Write, Share = FileShare.ReadWrite, BufferSize = 0 });
            await using (device.ConfigureAwait(false))
            {
                return await DownloadAsync(bucket, key, device, options, progress, cancellationToken).ConfigureAwait(false);
            }
        }

        bool overwrite = options?.Overwrite ?? true;
        if (!overwrite && File.Exists(target))
        {
            throw new TransferException($"'{path}' exists already, and {nameof(DownloadOptions.Overwrite)} is off.") { Bucket = bucket, Key = key };
        }

        return await ReportAsync(
            Report(request, progress, options),
            reporter => FileDownload.RunAsync(_context, request, target, overwrite, reporter, cancellationToken)).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<DownloadResult> DownloadAsync(
        string bucket, string key, Stream destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        DownloadRequest request = Check(bucket, key, options, cancellationToken);
        ArgumentNullException.ThrowIfNull(destination);
        if (!destination.CanWrite)
        {
            throw new ArgumentException("The destination stream can't be written to.", nameof(destination));
        }

        return await ReportAsync(
            Report(request, progress, options),
            async reporter =>
            {
                DownloadResult result = await OrderedDownload.RunAsync(_context, request, destination.WriteAsync, reporter, cancellationToken).ConfigureAwait(false);
                await destination.FlushAsync(cancellationToken).ConfigureAwait(false);
                return result;
            }).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<DownloadResult> DownloadAsync(
        string bucket, string key, PipeWriter destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        DownloadRequest request = Check(bucket, key, options, cancellationToken);
        ArgumentNullException.ThrowIfNull(destination);
        return await ReportAsync(
            Report(request, progress, options),
            reporter => OrderedDownload.RunAsync(
                _context,
                request,
                async (memory, token) =>
                {
                    FlushResult flushed = await destination.WriteAsync(memory, token).ConfigureAwait(false);
                    if (flushed.IsCompleted)
                    {
                        throw new TransferException($"{request.Address}: the reader of the destination pipe went away before the end.") { Bucket = bucket, Key = key };
                    }
                },
                reporter,
                cancellationToken)).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<UploadResult> UploadAsync(
        string path, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        UploadRequest request = Check(bucket, key, options, cancellationToken);
        using LocalSource source = LocalSource.Open(path);
        return await UploadAsync(source.Source, request, options, progress, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<UploadResult> UploadAsync(
        Stream source, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        if (!source.CanRead)
        {
            throw new ArgumentException("The source stream can't be read.", nameof(source));
        }

        UploadRequest request = Check(bucket, key, options, cancellationToken);
        return await UploadAsync(new StreamSource(source), request, options, progress, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<UploadResult> UploadAsync(
        PipeReader source, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        UploadRequest request = Check(bucket, key, options, cancellationToken);
        return await UploadAsync(new PipeSource(source), request, options, progress, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<UploadResult> UploadAsync(
        ReadOnlySequence<byte> source, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        UploadRequest request = Check(bucket, key, options, cancellationToken);
        return await UploadAsync(new MemorySource(source), request, options, progress, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Frees what the client's transfers shared. Transfers that still run fail.</summary>
    /// <returns>A task that ends at once.</returns>
    public ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            _context.Dispose();
        }

        return ValueTask.CompletedTask;
    }

    private static async Task<T> ReportAsync<T>(TransferReporter reporter, Func<TransferReporter, Task<T>> run)
    {
        try
        {
            T result = await run(reporter).ConfigureAwait(false);
            await reporter.EndAsync(null).ConfigureAwait(false);
            return result;
        }
        catch (Exception e)
        {
            await reporter.EndAsync(e).ConfigureAwait(false);
            throw;
        }
    }

    private async Task<UploadResult> UploadAsync(
        IUploadSource source, UploadRequest request, UploadOptions? options, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
        => await ReportAsync(
            _context.Report(TransferDirection.Upload, request.Address, progress, options?.Events),
            async reporter =>
            {
                PublishedUpload upload = await new UploadCoordinator(_context, request, source, reporter).RunAsync(cancellationToken).ConfigureAwait(false);
                return new UploadResult
                {
                    ETag = upload.Object.ETag,
                    VersionId = upload.Object.VersionId,
                    BytesTransferred = reporter.Bytes,
                    Verdict = upload.Verdict,
                    Elapsed = reporter.Elapsed,
                    Parts = upload.Parts,
                    Requests = reporter.Requests,
                    Retries = reporter.Retries,
                };
            }).ConfigureAwait(false);

    private DownloadRequest Check(string bucket, string key, DownloadOptions? options, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0, this);
        DownloadRequest request = DownloadRequest.From(bucket, key, options ?? new DownloadOptions(), _context.Settings);
        cancellationToken.ThrowIfCancellationRequested();
        return request;
    }

    private UploadRequest Check(string bucket, string key, UploadOptions? options, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0, this);
        UploadRequest request = UploadRequest.From(bucket, key, options ?? new UploadOptions(), _context.Settings);
        cancellationToken.ThrowIfCancellationRequested();
        return request;
    }

    private TransferReporter Report(DownloadRequest request, IProgress<TransferProgress>? progress, DownloadOptions? options)
        => _context.Report(TransferDirection.Download, request.Address, progress, options?.Events);
}
