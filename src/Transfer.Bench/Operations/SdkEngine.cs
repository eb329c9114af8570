using Amazon.S3;
using Amazon.S3.Transfer;
using Transfer.S3.Bench.Measuring;

namespace Transfer.S3.Bench.Operations;

/// <summary>The TransferUtility of the AWS SDK, with its defaults except for part size and concurrency.</summary>
internal sealed class SdkEngine : IEngine
{
    private const int BufferBytes = 128 * 1024;
    private readonly AmazonS3Client _s3;
    private readonly TransferUtility _utility;
    private readonly string _bucket;
    private readonly long? _partSize;

    /// <param name="connect">Creates a client whose requests go through a handler.</param>
    /// <param name="bucket">The bucket.</param>
    /// <param name="partSize">The part size; null for the default of the utility.</param>
    /// <param name="requestsEach">The number of concurrent requests of one object; null for the default of the utility.</param>
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
        progress.Report(new FileInfo(path).Length); // its events can arrive after its end
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
