using System.Buffers;
using Transfer.S3.Bench.Measuring;

namespace Transfer.S3.Bench.Operations;

/// <summary>Transfers objects with this library.</summary>
internal sealed class TransferEngine : IEngine
{
    private readonly TransferClient _client;
    private readonly string _bucket;
    private readonly DownloadOptions _download;
    private readonly UploadOptions _upload;

    /// <param name="create">Creates the client.</param>
    /// <param name="options">The part size, concurrency, and memory.</param>
    /// <param name="bucket">The bucket.</param>
    /// <param name="checksum">The checksum of uploads; none to verify neither uploads nor downloads.</param>
    public TransferEngine(Func<TransferClientOptions, TransferClient> create, TransferClientOptions options, string bucket, ChecksumAlgorithm checksum)
    {
        options.Advanced.RequestObserver += Observe;
        _client = create(options);
        _bucket = bucket;
        _download = new DownloadOptions { Verify = checksum != ChecksumAlgorithm.None };
        _upload = new UploadOptions { Checksum = checksum };
    }

    public RunMeter? Meter { get; set; }

    /// <summary>Gets a value that indicates whether the content of the last transfer of one object was compared with the checksum of the store.</summary>
    public bool IsVerified { get; private set; }

    public async Task HeadAsync(string key, CancellationToken cancellationToken)
    {
        try
        {
            await _client.GetInfoAsync(_bucket, key, cancellationToken: cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException)
        {
            Meter?.AddRetries(-1); // the last attempt wasn't followed by a retry
            throw;
        }
    }

    public async Task GetAsync(string key, string? path, CancellationToken cancellationToken)
    {
        DownloadResult result;
        if (path is null)
        {
            MeteredStream nowhere = new(Meter);
            await using (nowhere.ConfigureAwait(false))
            {
                result = await _client.DownloadAsync(_bucket, key, nowhere, _download, cancellationToken: cancellationToken).ConfigureAwait(false);
            }
        }
        else
        {
            result = await _client.DownloadAsync(_bucket, key, path, _download, new MeteredProgress(Meter), cancellationToken).ConfigureAwait(false);
        }

        IsVerified = result.Verdict.IsVerified;
        Meter?.AddRetries(result.Statistics.Retries);
    }

    public async Task PutAsync(string key, string path, CancellationToken cancellationToken)
    {
        UploadResult result = await _client.UploadAsync(path, _bucket, key, _upload, new MeteredProgress(Meter, isUpload: true), cancellationToken).ConfigureAwait(false);
        IsVerified = result.Verdict.IsVerified;
        Meter?.AddRetries(result.Statistics.Retries);
    }

    public async Task PutAsync(string key, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        UploadResult result = await _client.UploadAsync(new ReadOnlySequence<byte>(content), _bucket, key, _upload, cancellationToken: cancellationToken).ConfigureAwait(false);
        Meter?.AddRetries(result.Statistics.Retries);
        Meter?.AddBytes(result.Statistics.BytesTransferred);
    }

    public ValueTask DisposeAsync() => _client.DisposeAsync();

    private void Observe(RequestTiming timing)
    {
        Meter?.Observe(timing);

        // The result of a transfer contains its retries, but a HEAD request has no result.
        if (timing is { Kind: RequestKind.HeadObject, Error: not null and not OperationCanceledException })
        {
            Meter?.AddRetries(1);
        }
    }
}
