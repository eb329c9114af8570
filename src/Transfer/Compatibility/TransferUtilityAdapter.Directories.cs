using Amazon.S3.Transfer;
using Transfer.Compatibility;

namespace Transfer;

public sealed partial class TransferUtilityAdapter
{
    /// <inheritdoc/>
    public Task UploadDirectoryAsync(string directory, string bucketName, CancellationToken cancellationToken = default)
        => Sdk(nameof(UploadDirectoryAsync)).UploadDirectoryAsync(directory, bucketName, cancellationToken);

    /// <inheritdoc/>
    public Task UploadDirectoryAsync(string directory, string bucketName, string searchPattern, SearchOption searchOption, CancellationToken cancellationToken = default)
        => Sdk(nameof(UploadDirectoryAsync)).UploadDirectoryAsync(directory, bucketName, searchPattern, searchOption, cancellationToken);

    /// <inheritdoc/>
    public Task UploadDirectoryAsync(TransferUtilityUploadDirectoryRequest request, CancellationToken cancellationToken = default)
        => Sdk(nameof(UploadDirectoryAsync)).UploadDirectoryAsync(request, cancellationToken);

    /// <inheritdoc/>
    public Task<TransferUtilityUploadDirectoryResponse> UploadDirectoryWithResponseAsync(string directory, string bucketName, CancellationToken cancellationToken = default)
        => Sdk(nameof(UploadDirectoryWithResponseAsync)).UploadDirectoryWithResponseAsync(directory, bucketName, cancellationToken);

    /// <inheritdoc/>
    public Task<TransferUtilityUploadDirectoryResponse> UploadDirectoryWithResponseAsync(
        string directory, string bucketName, string searchPattern, SearchOption searchOption, CancellationToken cancellationToken = default)
        => Sdk(nameof(UploadDirectoryWithResponseAsync)).UploadDirectoryWithResponseAsync(directory, bucketName, searchPattern, searchOption, cancellationToken);

    /// <inheritdoc/>
    public Task<TransferUtilityUploadDirectoryResponse> UploadDirectoryWithResponseAsync(
        TransferUtilityUploadDirectoryRequest request, CancellationToken cancellationToken = default)
        => Sdk(nameof(UploadDirectoryWithResponseAsync)).UploadDirectoryWithResponseAsync(request, cancellationToken);

    /// <inheritdoc/>
    public Task DownloadDirectoryAsync(string bucketName, string s3Directory, string localDirectory, CancellationToken cancellationToken = default)
        => Sdk(nameof(DownloadDirectoryAsync)).DownloadDirectoryAsync(bucketName, s3Directory, localDirectory, cancellationToken);

    /// <inheritdoc/>
    public Task DownloadDirectoryAsync(TransferUtilityDownloadDirectoryRequest request, CancellationToken cancellationToken = default)
        => Sdk(nameof(DownloadDirectoryAsync)).DownloadDirectoryAsync(request, cancellationToken);

    /// <inheritdoc/>
    public Task<TransferUtilityDownloadDirectoryResponse> DownloadDirectoryWithResponseAsync(
        string bucketName, string s3Directory, string localDirectory, CancellationToken cancellationToken = default)
        => Sdk(nameof(DownloadDirectoryWithResponseAsync)).DownloadDirectoryWithResponseAsync(bucketName, s3Directory, localDirectory, cancellationToken);

    /// <inheritdoc/>
    public Task<TransferUtilityDownloadDirectoryResponse> DownloadDirectoryWithResponseAsync(
        TransferUtilityDownloadDirectoryRequest request, CancellationToken cancellationToken = default)
        => Sdk(nameof(DownloadDirectoryWithResponseAsync)).DownloadDirectoryWithResponseAsync(request, cancellationToken);

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
}
