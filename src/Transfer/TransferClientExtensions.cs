namespace Transfer.S3;

/// <summary>Transfers of directories, under the names that they have in <c>TransferUtility</c>.</summary>
public static class TransferClientExtensions
{
    /// <summary>Uploads all files in a directory. Each key is the prefix followed by the path of the file relative to the directory.</summary>
    /// <param name="client">The client.</param>
    /// <param name="directory">The path of the directory.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="prefix">The prefix of the keys: the name of a folder, with or without a trailing slash, or an empty string for none.</param>
    /// <param name="options">The options of the transfer; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates for all objects together; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result of <see cref="ITransferClient.CopyTreeAsync(Place, Place, DirectoryOptions?, IProgress{TransferProgress}?, CancellationToken)"/>.</returns>
    public static Task<DirectoryResult> UploadDirectoryAsync(
        this ITransferClient client, string directory, string bucket, string prefix, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.CopyTreeAsync(Place.InDirectory(directory), Place.InBucket(bucket, prefix), options, progress, cancellationToken);

    /// <summary>Downloads all objects under a prefix to a directory. The rest of each key after the prefix is the path of the file.</summary>
    /// <param name="client">The client.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="prefix">The prefix of the keys: the name of a folder, with or without a trailing slash, or an empty string for the whole bucket.</param>
    /// <param name="directory">The path of the directory. If it doesn't exist, it is created when there is something to download.</param>
    /// <param name="options">The options of the transfer; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates for all objects together; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result of <see cref="ITransferClient.CopyTreeAsync(Place, Place, DirectoryOptions?, IProgress{TransferProgress}?, CancellationToken)"/>.</returns>
    public static Task<DirectoryResult> DownloadDirectoryAsync(
        this ITransferClient client, string bucket, string prefix, string directory, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.CopyTreeAsync(Place.InBucket(bucket, prefix), Place.InDirectory(directory), options, progress, cancellationToken);
}
