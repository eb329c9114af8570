using Amazon.S3;
using Amazon.S3.Transfer;
using Transfer.Cli.Bench.Measuring;

namespace Transfer.Cli.Bench.Operations;

/// <summary>AWSSDK's TransferUtility, with the defaults that an application gets but for part size and concurrency.</summary>
internal sealed class SdkEngine : IEngine
{
    private const int BufferBytes = 128 * 1024;
    private readonly AmazonS3Client _s3;
    private readonly TransferUtility _utility;
    private readonly string _bucket;
    private readonly long? _partSize;

    /// <param name="connect">Makes a client whose requests are told to whoever listens.</param>
    /// <param name="bucket">Where all objects are.</param>
    /// <param name="partSize">Bytes of a part; null for the utility's own.</param>
    /// <param name="requestsEach">Requests at once for one object; null for the utility's own.</param>
    /// <param name="time">The clock.</param>
    public SdkEngine(Func<Func<HttpMessageHandler, HttpMessageHandler>, AmazonS3Client> connect, string bucket, long? partSize, int? requestsEach, TimeProvider time)
    {
        _s3 = connect(handler => new TimingHandler(handler, timing => Meter?.Observe(timing), () => Meter?.AddRetries(1), time));
        TransferUtilityConfig config = new();
        config.ConcurrentServiceRequests = requestsEach ?? config.ConcurrentServiceRequests;
        config.MinSizeBeforePartUpload = partSize ?? config.MinSizeBeforePartUpload;
        _utility = new TransferUtility(_s3, config);
        _bucket = bucket;
        _partSize = partSize;
    }

    public RunMeter? Meter { get; set; }

    public Task HeadAsync(string key, CancellationToken cancellationToken) => _s3.GetObjectMetadataAsync(_bucket, key, cancellationToken);

    public async Task GetAsync(string key, string? path, CancellationToken cancellationToken)
    {
        RunMeter? meter = Meter;
        if (path is null)
        {
            TransferUtilityOpenStreamRequest open = new() { BucketName = _bucket, Key = key, MultipartDownloadType = MultipartDownloadType.RANGE };
            SetPartSize(size => open.PartSize = size);
            using TransferUtilityOpenStreamResponse response = await _utility.OpenStreamWithResponseAsync(open, cancellationToken).ConfigureAwait(false);
            byte[] buffer = new byte[BufferBytes];
            int count;
            while ((count = await response.ResponseStream.ReadAsync(buffer, cancellationToken).ConfigureAwait(false)) > 0)
            {
                meter?.AddBytes(count);
            }

            return;
        }

        TransferUtilityDownloadRequest download = new() { BucketName = _bucket, Key = key, FilePath = path, MultipartDownloadType = MultipartDownloadType.RANGE };
        SetPartSize(size => download.PartSize = size);
        MeteredProgress progress = new(meter);
        download.WriteObjectProgressEvent += (_, e) => progress.Report(e.TransferredBytes);
        await _utility.DownloadWithResponseAsync(download, cancellationToken).ConfigureAwait(false);
        progress.Report(new FileInfo(path).Length);
    }

    public async Task PutAsync(string key, string path, CancellationToken cancellationToken)
    {
        TransferUtilityUploadRequest upload = new() { BucketName = _bucket, Key = key, FilePath = path };
        SetPartSize(size => upload.PartSize = size);
        MeteredProgress progress = new(Meter);
        upload.UploadProgressEvent += (_, e) => progress.Report(e.TransferredBytes);
        await _utility.UploadAsync(upload, cancellationToken).ConfigureAwait(false);
        progress.Report(new FileInfo(path).Length); // its events may come behind its end
    }

    public async Task PutAsync(string key, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        using MemoryStream stream = new(content.ToArray(), writable: false);
        await _utility.UploadAsync(stream, _bucket, key, cancellationToken).ConfigureAwait(false);
        Meter?.AddBytes(content.Length);
    }

    public ValueTask DisposeAsync()
    {
        _utility.Dispose();
        _s3.Dispose();
        return ValueTask.CompletedTask;
    }

    private void SetPartSize(Action<long> set)
    {
        if (_partSize is { } size)
        {
            set(size);
        }
    }
}
