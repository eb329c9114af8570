using Amazon.S3.Transfer;

namespace Transfer.S3.TransferUtility;

public sealed partial class TransferUtilityAdapter
{
    /// <inheritdoc/>
    public async Task UploadAsync(string filePath, string bucketName, CancellationToken cancellationToken = default)
        => await UploadAsync(RequestChecks.CreateUpload(filePath, bucketName, null), cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public async Task UploadAsync(string filePath, string bucketName, string key, CancellationToken cancellationToken = default)
        => await UploadAsync(RequestChecks.CreateUpload(filePath, bucketName, key), cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public async Task UploadAsync(Stream stream, string bucketName, string key, CancellationToken cancellationToken = default)
        => await UploadAsync(RequestChecks.CreateUpload(stream, bucketName, key), cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public async Task UploadAsync(TransferUtilityUploadRequest request, CancellationToken cancellationToken = default)
        => await UploadWithResponseAsync(request, cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public async Task<TransferUtilityUploadResponse> UploadWithResponseAsync(string filePath, string bucketName, CancellationToken cancellationToken = default)
        => await UploadWithResponseAsync(RequestChecks.CreateUpload(filePath, bucketName, null), cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public async Task<TransferUtilityUploadResponse> UploadWithResponseAsync(string filePath, string bucketName, string key, CancellationToken cancellationToken = default)
        => await UploadWithResponseAsync(RequestChecks.CreateUpload(filePath, bucketName, key), cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public async Task<TransferUtilityUploadResponse> UploadWithResponseAsync(Stream stream, string bucketName, string key, CancellationToken cancellationToken = default)
        => await UploadWithResponseAsync(RequestChecks.CreateUpload(stream, bucketName, key), cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public async Task<TransferUtilityUploadResponse> UploadWithResponseAsync(TransferUtilityUploadRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (UploadMapping.WhatOnlyTheSdkDoes(request, MemoryBytes) is { } option)
        {
            return await Sdk(option).UploadWithResponseAsync(request, cancellationToken).ConfigureAwait(false);
        }

        RequestChecks.Check(request);
        return await new UploadCall(_client, request, _partsThreshold).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Upload(string filePath, string bucketName) => Blocking.Wait(UploadAsync(filePath, bucketName));

    /// <inheritdoc/>
    public void Upload(string filePath, string bucketName, string key) => Blocking.Wait(UploadAsync(filePath, bucketName, key));

    /// <inheritdoc/>
    public void Upload(Stream stream, string bucketName, string key) => Blocking.Wait(UploadAsync(stream, bucketName, key));

    /// <inheritdoc/>
    public void Upload(TransferUtilityUploadRequest request) => Blocking.Wait(UploadAsync(request));

    /// <inheritdoc/>
    public TransferUtilityUploadResponse UploadWithResponse(string filePath, string bucketName) => Blocking.Wait(UploadWithResponseAsync(filePath, bucketName));

    /// <inheritdoc/>
    public TransferUtilityUploadResponse UploadWithResponse(string filePath, string bucketName, string key)
        => Blocking.Wait(UploadWithResponseAsync(filePath, bucketName, key));

    /// <inheritdoc/>
    public TransferUtilityUploadResponse UploadWithResponse(Stream stream, string bucketName, string key)
        => Blocking.Wait(UploadWithResponseAsync(stream, bucketName, key));

    /// <inheritdoc/>
    public TransferUtilityUploadResponse UploadWithResponse(TransferUtilityUploadRequest request) => Blocking.Wait(UploadWithResponseAsync(request));
}
