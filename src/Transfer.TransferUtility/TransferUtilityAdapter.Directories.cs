using Amazon.S3.Transfer;

namespace Transfer.S3.TransferUtility;

public sealed partial class TransferUtilityAdapter
{
    /// <inheritdoc/>
    public Task UploadDirectoryAsync(string directory, string bucketName, CancellationToken cancellationToken = default)
        => UploadDirectoryAsync(CreateUploadDirectory(directory, bucketName), cancellationToken);

    /// <inheritdoc/>
    public Task UploadDirectoryAsync(string directory, string bucketName, string searchPattern, SearchOption searchOption, CancellationToken cancellationToken = default)
        => UploadDirectoryAsync(CreateUploadDirectory(directory, bucketName, searchPattern, searchOption), cancellationToken);

    /// <inheritdoc/>
    public async Task UploadDirectoryAsync(TransferUtilityUploadDirectoryRequest request, CancellationToken cancellationToken = default)
        => await UploadDirectoryWithResponseAsync(request, cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    public Task<TransferUtilityUploadDirectoryResponse> UploadDirectoryWithResponseAsync(string directory, string bucketName, CancellationToken cancellationToken = default)
        => UploadDirectoryWithResponseAsync(CreateUploadDirectory(directory, bucketName), cancellationToken);

    /// <inheritdoc/>
    public Task<TransferUtilityUploadDirectoryResponse> UploadDirectoryWithResponseAsync(
        string directory, string bucketName, string searchPattern, SearchOption searchOption, CancellationToken cancellationToken = default)
        => UploadDirectoryWithResponseAsync(CreateUploadDirectory(directory, bucketName, searchPattern, searchOption), cancellationToken);

    /// <inheritdoc/>
    public async Task<TransferUtilityUploadDirectoryResponse> UploadDirectoryWithResponseAsync(
        TransferUtilityUploadDirectoryRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        SdkUtilityMembers.RequireUploadDirectories();
        string? option = DirectoryMapping.WhatOnlyTheSdkDoes(request, MemoryBytes);
        if (option is not null || _client is not TransferClient own)
        {
            return await Sdk(option ?? nameof(UploadDirectoryWithResponseAsync)).UploadDirectoryWithResponseAsync(request, cancellationToken).ConfigureAwait(false);
        }

        return await new UploadDirectoryCall(own, request, _partsThreshold, MemoryBytes, UploadAsync).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task DownloadDirectoryAsync(string bucketName, string s3Directory, string localDirectory, CancellationToken cancellationToken = default)
        => DownloadDirectoryAsync(CreateDownloadDirectory(bucketName, s3Directory, localDirectory), cancellationToken);

    /// <inheritdoc/>
    public async Task DownloadDirectoryAsync(TransferUtilityDownloadDirectoryRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        string? option = DirectoryMapping.WhatOnlyTheSdkDoes(request);
        if (option is not null || _client is not TransferClient own)
        {
            await Sdk(option ?? nameof(DownloadDirectoryAsync)).DownloadDirectoryAsync(request, cancellationToken).ConfigureAwait(false);
            return;
        }

        await new DownloadDirectoryCall(own, request, hasResponse: false, _checksCase, DownloadAsync).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task<TransferUtilityDownloadDirectoryResponse> DownloadDirectoryWithResponseAsync(
        string bucketName, string s3Directory, string localDirectory, CancellationToken cancellationToken = default)
        => DownloadDirectoryWithResponseAsync(CreateDownloadDirectory(bucketName, s3Directory, localDirectory), cancellationToken);

    /// <inheritdoc/>
    public async Task<TransferUtilityDownloadDirectoryResponse> DownloadDirectoryWithResponseAsync(
        TransferUtilityDownloadDirectoryRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        string? option = DirectoryMapping.WhatOnlyTheSdkDoes(request);
        if (option is not null || _client is not TransferClient own)
        {
            return await Sdk(option ?? nameof(DownloadDirectoryWithResponseAsync)).DownloadDirectoryWithResponseAsync(request, cancellationToken).ConfigureAwait(false);
        }

        return await new DownloadDirectoryCall(own, request, hasResponse: true, _checksCase, DownloadWithResponseAsync).RunAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void UploadDirectory(string directory, string bucketName) => Blocking.Wait(UploadDirectoryAsync(directory, bucketName));

    /// <inheritdoc/>
    public void UploadDirectory(string directory, string bucketName, string searchPattern, SearchOption searchOption)
        => Blocking.Wait(UploadDirectoryAsync(directory, bucketName, searchPattern, searchOption));

    /// <inheritdoc/>
    public void UploadDirectory(TransferUtilityUploadDirectoryRequest request) => Blocking.Wait(UploadDirectoryAsync(request));

    /// <inheritdoc/>
    public TransferUtilityUploadDirectoryResponse UploadDirectoryWithResponse(string directory, string bucketName)
        => Blocking.Wait(UploadDirectoryWithResponseAsync(directory, bucketName));

    /// <inheritdoc/>
    public TransferUtilityUploadDirectoryResponse UploadDirectoryWithResponse(string directory, string bucketName, string searchPattern, SearchOption searchOption)
        => Blocking.Wait(UploadDirectoryWithResponseAsync(directory, bucketName, searchPattern, searchOption));

    /// <inheritdoc/>
    public TransferUtilityUploadDirectoryResponse UploadDirectoryWithResponse(TransferUtilityUploadDirectoryRequest request)
        => Blocking.Wait(UploadDirectoryWithResponseAsync(request));

    /// <inheritdoc/>
    public void DownloadDirectory(string bucketName, string s3Directory, string localDirectory)
        => Blocking.Wait(DownloadDirectoryAsync(bucketName, s3Directory, localDirectory));

    /// <inheritdoc/>
    public void DownloadDirectory(TransferUtilityDownloadDirectoryRequest request) => Blocking.Wait(DownloadDirectoryAsync(request));

    /// <inheritdoc/>
    public TransferUtilityDownloadDirectoryResponse DownloadDirectoryWithResponse(string bucketName, string s3Directory, string localDirectory)
        => Blocking.Wait(DownloadDirectoryWithResponseAsync(bucketName, s3Directory, localDirectory));

    /// <inheritdoc/>
    public TransferUtilityDownloadDirectoryResponse DownloadDirectoryWithResponse(TransferUtilityDownloadDirectoryRequest request)
        => Blocking.Wait(DownloadDirectoryWithResponseAsync(request));

    private static TransferUtilityUploadDirectoryRequest CreateUploadDirectory(string directory, string bucketName) => new() { Directory = directory, BucketName = bucketName };

    private static TransferUtilityUploadDirectoryRequest CreateUploadDirectory(string directory, string bucketName, string searchPattern, SearchOption searchOption)
        => new() { Directory = directory, BucketName = bucketName, SearchPattern = searchPattern, SearchOption = searchOption };

    private static TransferUtilityDownloadDirectoryRequest CreateDownloadDirectory(string bucketName, string s3Directory, string localDirectory)
        => new() { BucketName = bucketName, S3Directory = s3Directory, LocalDirectory = localDirectory };
}
