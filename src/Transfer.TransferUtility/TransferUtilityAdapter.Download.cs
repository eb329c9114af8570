using Amazon.S3.Transfer;

namespace Transfer.S3.TransferUtility;

public sealed partial class TransferUtilityAdapter
{
    /// <inheritdoc/>
    public async Task DownloadAsync(string filePath, string bucketName, string key, CancellationToken cancellationToken = default)
        => await DownloadAsync(CreateDownload(filePath, bucketName, key), cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public async Task DownloadAsync(TransferUtilityDownloadRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (DownloadMapping.WhatOnlyTheSdkDoes(request) is { } option)
        {
            await Sdk(option).DownloadAsync(request, cancellationToken).ConfigureAwait(false);
            return;
        }

        await new DownloadCall(_client, request, hasResponse: false).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async Task<TransferUtilityDownloadResponse> DownloadWithResponseAsync(string filePath, string bucketName, string key, CancellationToken cancellationToken = default)
        => await DownloadWithResponseAsync(CreateDownload(filePath, bucketName, key), cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public async Task<TransferUtilityDownloadResponse> DownloadWithResponseAsync(TransferUtilityDownloadRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        return DownloadMapping.WhatOnlyTheSdkDoes(request) is { } option
            ? await Sdk(option).DownloadWithResponseAsync(request, cancellationToken).ConfigureAwait(false)
            : await new DownloadCall(_client, request, hasResponse: true).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Download(string filePath, string bucketName, string key) => Blocking.Wait(DownloadAsync(filePath, bucketName, key));

    /// <inheritdoc/>
    public void Download(TransferUtilityDownloadRequest request) => Blocking.Wait(DownloadAsync(request));

    /// <inheritdoc/>
    public TransferUtilityDownloadResponse DownloadWithResponse(string filePath, string bucketName, string key)
        => Blocking.Wait(DownloadWithResponseAsync(filePath, bucketName, key));

    /// <inheritdoc/>
    public TransferUtilityDownloadResponse DownloadWithResponse(TransferUtilityDownloadRequest request) => Blocking.Wait(DownloadWithResponseAsync(request));

    private static TransferUtilityDownloadRequest CreateDownload(string filePath, string bucketName, string key)
        => new() { BucketName = bucketName, Key = key, FilePath = filePath };
}
