using System.Buffers;
using System.IO.Pipelines;

#pragma warning disable CS1573 // the other parameters are inherited

namespace Transfer.S3;

/// <summary>Overloads of the methods of <see cref="ITransferClient"/> that take an <see cref="S3Uri"/> instead of a bucket and a key or a prefix.</summary>
public static class TransferClientExtensions
{
    /// <inheritdoc cref="ITransferClient.GetInfoAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The object.</param>
    public static Task<ObjectInfo> GetInfoAsync(this ITransferClient client, S3Uri source, ObjectInfoOptions? options = null, CancellationToken cancellationToken = default)
        => client.GetInfoAsync(source.Bucket, source.Key, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.OpenReadAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The object.</param>
    public static Task<ObjectReadStream> OpenReadAsync(this ITransferClient client, S3Uri source, DownloadOptions? options = null, CancellationToken cancellationToken = default)
        => client.OpenReadAsync(source.Bucket, source.Key, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.OpenSeekableAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The object.</param>
    public static Task<SeekableObjectStream> OpenSeekableAsync(
        this ITransferClient client, S3Uri source, SeekableReadOptions? options = null, CancellationToken cancellationToken = default)
        => client.OpenSeekableAsync(source.Bucket, source.Key, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.ReadRangesAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The object.</param>
    public static Task<RangeBuffers> ReadRangesAsync(
        this ITransferClient client, S3Uri source, IReadOnlyList<ObjectRange> ranges, RangeReadOptions? options = null, CancellationToken cancellationToken = default)
        => client.ReadRangesAsync(source.Bucket, source.Key, ranges, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.EnumerateRangesAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The object.</param>
    public static IAsyncEnumerable<RangeBuffer> EnumerateRangesAsync(
        this ITransferClient client, S3Uri source, IReadOnlyList<ObjectRange> ranges, RangeReadOptions? options = null, CancellationToken cancellationToken = default)
        => client.EnumerateRangesAsync(source.Bucket, source.Key, ranges, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.DownloadAsync(string, string, string, DownloadOptions?, IProgress{TransferProgress}?, CancellationToken)" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The object.</param>
    public static Task<DownloadResult> DownloadAsync(
        this ITransferClient client, S3Uri source, string path, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.DownloadAsync(source.Bucket, source.Key, path, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.DownloadAsync(string, string, Stream, DownloadOptions?, IProgress{TransferProgress}?, CancellationToken)" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The object.</param>
    public static Task<DownloadResult> DownloadAsync(
        this ITransferClient client, S3Uri source, Stream destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.DownloadAsync(source.Bucket, source.Key, destination, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.DownloadAsync(string, string, PipeWriter, DownloadOptions?, IProgress{TransferProgress}?, CancellationToken)" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The object.</param>
    public static Task<DownloadResult> DownloadAsync(
        this ITransferClient client, S3Uri source, PipeWriter destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.DownloadAsync(source.Bucket, source.Key, destination, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.UploadAsync(string, string, string, UploadOptions?, IProgress{TransferProgress}?, CancellationToken)" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The object.</param>
    public static Task<UploadResult> UploadAsync(
        this ITransferClient client, string path, S3Uri target, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.UploadAsync(path, target.Bucket, target.Key, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.UploadAsync(Stream, string, string, UploadOptions?, IProgress{TransferProgress}?, CancellationToken)" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The object.</param>
    public static Task<UploadResult> UploadAsync(
        this ITransferClient client, Stream source, S3Uri target, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.UploadAsync(source, target.Bucket, target.Key, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.UploadAsync(PipeReader, string, string, UploadOptions?, IProgress{TransferProgress}?, CancellationToken)" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The object.</param>
    public static Task<UploadResult> UploadAsync(
        this ITransferClient client, PipeReader source, S3Uri target, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.UploadAsync(source, target.Bucket, target.Key, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.UploadAsync(ReadOnlySequence{byte}, string, string, UploadOptions?, IProgress{TransferProgress}?, CancellationToken)" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The object.</param>
    public static Task<UploadResult> UploadAsync(
        this ITransferClient client, ReadOnlySequence<byte> source, S3Uri target, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.UploadAsync(source, target.Bucket, target.Key, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.MoveToStoreAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The object.</param>
    public static Task<UploadResult> MoveToStoreAsync(
        this ITransferClient client, string path, S3Uri target, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.MoveToStoreAsync(path, target.Bucket, target.Key, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.MoveToFileAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The object.</param>
    public static Task<DownloadResult> MoveToFileAsync(
        this ITransferClient client, S3Uri source, string path, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.MoveToFileAsync(source.Bucket, source.Key, path, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.ReadObjectsAsync" path="/*[not(@name='bucket' or @name='prefix')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The bucket and the prefix.</param>
    public static Task<DirectoryResult> ReadObjectsAsync(
        this ITransferClient client,
        S3Uri source,
        Func<string, ObjectReadStream, CancellationToken, Task> readAsync,
        DirectoryOptions? options = null,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
        => client.ReadObjectsAsync(source.Bucket, source.Key, readAsync, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.DownloadDirectoryAsync" path="/*[not(@name='bucket' or @name='prefix')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The bucket and the prefix.</param>
    public static Task<DirectoryResult> DownloadDirectoryAsync(
        this ITransferClient client, S3Uri source, string directory, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.DownloadDirectoryAsync(source.Bucket, source.Key, directory, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.UploadDirectoryAsync" path="/*[not(@name='bucket' or @name='prefix')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The bucket and the prefix.</param>
    public static Task<DirectoryResult> UploadDirectoryAsync(
        this ITransferClient client, string directory, S3Uri target, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.UploadDirectoryAsync(directory, target.Bucket, target.Key, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.SyncUploadAsync" path="/*[not(@name='bucket' or @name='prefix')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The bucket and the prefix.</param>
    public static Task<DirectoryResult> SyncUploadAsync(
        this ITransferClient client, string directory, S3Uri target, SyncOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.SyncUploadAsync(directory, target.Bucket, target.Key, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.PlanSyncUploadAsync" path="/*[not(@name='bucket' or @name='prefix')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The bucket and the prefix.</param>
    public static IAsyncEnumerable<Outcome> PlanSyncUploadAsync(
        this ITransferClient client, string directory, S3Uri target, SyncOptions? options = null, CancellationToken cancellationToken = default)
        => client.PlanSyncUploadAsync(directory, target.Bucket, target.Key, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.SyncDownloadAsync" path="/*[not(@name='bucket' or @name='prefix')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The bucket and the prefix.</param>
    public static Task<DirectoryResult> SyncDownloadAsync(
        this ITransferClient client, S3Uri source, string directory, SyncOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.SyncDownloadAsync(source.Bucket, source.Key, directory, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.PlanSyncDownloadAsync" path="/*[not(@name='bucket' or @name='prefix')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The bucket and the prefix.</param>
    public static IAsyncEnumerable<Outcome> PlanSyncDownloadAsync(
        this ITransferClient client, S3Uri source, string directory, SyncOptions? options = null, CancellationToken cancellationToken = default)
        => client.PlanSyncDownloadAsync(source.Bucket, source.Key, directory, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.VerifyAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The object.</param>
    public static Task<VerifyResult> VerifyAsync(
        this ITransferClient client, string path, S3Uri target, VerifyOptions? options = null, CancellationToken cancellationToken = default)
        => client.VerifyAsync(path, target.Bucket, target.Key, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.VerifyDirectoryAsync" path="/*[not(@name='bucket' or @name='prefix')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The bucket and the prefix.</param>
    public static Task<DirectoryResult> VerifyDirectoryAsync(
        this ITransferClient client, string directory, S3Uri target, VerifyDirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.VerifyDirectoryAsync(directory, target.Bucket, target.Key, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.ListObjectsAsync" path="/*[not(@name='bucket' or @name='prefix')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The bucket and the prefix.</param>
    public static IAsyncEnumerable<ListedObject> ListObjectsAsync(
        this ITransferClient client, S3Uri source, ListObjectsOptions? options = null, CancellationToken cancellationToken = default)
        => client.ListObjectsAsync(source.Bucket, source.Key, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.FindVersionAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The object.</param>
    public static Task<ListedObject> FindVersionAsync(
        this ITransferClient client, S3Uri source, DateTimeOffset asOf, ObjectInfoOptions? options = null, CancellationToken cancellationToken = default)
        => client.FindVersionAsync(source.Bucket, source.Key, asOf, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.ListPartsAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The object.</param>
    public static IAsyncEnumerable<ListedPart> ListPartsAsync(
        this ITransferClient client, S3Uri source, ObjectInfoOptions? options = null, CancellationToken cancellationToken = default)
        => client.ListPartsAsync(source.Bucket, source.Key, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.ListUploadsAsync" path="/*[not(@name='bucket' or @name='prefix')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The bucket and the prefix.</param>
    public static IAsyncEnumerable<UnfinishedUpload> ListUploadsAsync(this ITransferClient client, S3Uri source, CancellationToken cancellationToken = default)
        => client.ListUploadsAsync(source.Bucket, source.Key, cancellationToken);

    /// <inheritdoc cref="ITransferClient.GetTagsAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="source">The object.</param>
    public static Task<IReadOnlyDictionary<string, string>> GetTagsAsync(
        this ITransferClient client, S3Uri source, TagOptions? options = null, CancellationToken cancellationToken = default)
        => client.GetTagsAsync(source.Bucket, source.Key, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.SetTagsAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The object.</param>
    public static Task SetTagsAsync(
        this ITransferClient client, S3Uri target, IReadOnlyDictionary<string, string> tags, TagOptions? options = null, CancellationToken cancellationToken = default)
        => client.SetTagsAsync(target.Bucket, target.Key, tags, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.DeleteAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The object.</param>
    public static Task<DeleteResult> DeleteAsync(this ITransferClient client, S3Uri target, DeleteOptions? options = null, CancellationToken cancellationToken = default)
        => client.DeleteAsync(target.Bucket, target.Key, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.DeleteDirectoryAsync" path="/*[not(@name='bucket' or @name='prefix')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The bucket and the prefix.</param>
    public static Task<DirectoryResult> DeleteDirectoryAsync(
        this ITransferClient client, S3Uri target, DeleteDirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.DeleteDirectoryAsync(target.Bucket, target.Key, options, progress, cancellationToken);

    /// <inheritdoc cref="ITransferClient.OpenWriteAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The object.</param>
    public static Task<ObjectWriteStream> OpenWriteAsync(this ITransferClient client, S3Uri target, UploadOptions? options = null, CancellationToken cancellationToken = default)
        => client.OpenWriteAsync(target.Bucket, target.Key, options, cancellationToken);

    /// <inheritdoc cref="ITransferClient.AbortUploadsAsync" path="/*[not(@name='bucket' or @name='prefix')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The bucket and the prefix.</param>
    public static Task<AbortUploadsResult> AbortUploadsAsync(
        this ITransferClient client, S3Uri target, AbortUploadsOptions? options = null, CancellationToken cancellationToken = default)
        => client.AbortUploadsAsync(target.Bucket, target.Key, options, cancellationToken);

    /// <inheritdoc cref="TransferClient.RestoreAsync" path="/*[not(@name='bucket' or @name='key')]"/>
    /// <param name="client">The client.</param>
    /// <param name="target">The object.</param>
    public static Task RestoreAsync(this TransferClient client, S3Uri target, RestoreOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        return client.RestoreAsync(target.Bucket, target.Key, options, cancellationToken);
    }
}
