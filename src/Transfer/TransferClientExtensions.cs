using System.Buffers;

namespace Transfer.S3;

/// <summary>Short forms of what programs do most: small objects as bytes, and directories under the names that they have in <c>TransferUtility</c>.</summary>
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
    /// <example>
    /// <code>
    /// DirectoryResult result = await client.UploadDirectoryAsync("photos", "bucket", "photos/2026");
    /// Console.WriteLine($"{result.Counts.Copied} files uploaded");
    /// </code>
    /// </example>
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
    /// <example>
    /// <code>
    /// DirectoryResult result = await client.DownloadDirectoryAsync("bucket", "photos/2026", "photos");
    /// Console.WriteLine($"{result.Counts.Copied} objects downloaded");
    /// </code>
    /// </example>
    public static Task<DirectoryResult> DownloadDirectoryAsync(
        this ITransferClient client, string bucket, string prefix, string directory, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => client.CopyTreeAsync(Place.InBucket(bucket, prefix), Place.InDirectory(directory), options, progress, cancellationToken);

    /// <summary>Returns whether an object exists, with a single HEAD request.</summary>
    /// <param name="client">The client.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the request; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns><see langword="true"/> if the object exists; <see langword="false"/> if the store returns status 404, which many stores also do for a bucket that doesn't exist.</returns>
    /// <exception cref="TransferException">Thrown when the request failed, also because the credentials don't allow it (<see cref="TransferError.AccessDenied"/>).</exception>
    /// <example>
    /// <code>
    /// if (!await client.ExistsAsync("bucket", "report.csv"))
    /// {
    ///     Console.WriteLine("There is no report yet.");
    /// }
    /// </code>
    /// </example>
    public static async Task<bool> ExistsAsync(
        this ITransferClient client, string bucket, string key, ObjectAccessOptions? options = null, CancellationToken cancellationToken = default)
    {
        try
        {
            await client.GetInfoAsync(bucket, key, options, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e) when (e.Error == TransferError.ObjectNotFound)
        {
            return false;
        }
    }

    /// <summary>Uploads the content of a block of memory.</summary>
    /// <param name="client">The client.</param>
    /// <param name="source">The content. It must not change before the call has ended.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the upload; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result of the upload.</returns>
    /// <exception cref="TransferException">Thrown when the upload failed.</exception>
    /// <example>
    /// <code>
    /// await client.UploadAsync("{}"u8.ToArray(), "bucket", "state.json", new UploadOptions { ContentType = "application/json" });
    /// </code>
    /// </example>
    public static Task<UploadResult> UploadAsync(
        this ITransferClient client,
        ReadOnlyMemory<byte> source,
        string bucket,
        string key,
        UploadOptions? options = null,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
        => client.UploadAsync(new ReadOnlySequence<byte>(source), bucket, key, options, progress, cancellationToken);

    /// <summary>Downloads an object, or a range of it, into a new array.</summary>
    /// <param name="client">The client.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the download; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The content. It is verified if the store has a checksum of it.</returns>
    /// <remarks>The array isn't part of <see cref="TransferClientOptions.MemoryBytes"/>. Read larger objects as a stream, with <see cref="ITransferClient.OpenReadAsync(string, string, DownloadOptions?, CancellationToken)"/>.</remarks>
    /// <exception cref="ChecksumMismatchException">Thrown when the content doesn't match its checksum.</exception>
    /// <exception cref="TransferException">Thrown when the download failed, or when the content has more bytes than an array can have (2,147,483,591).</exception>
    /// <example>
    /// <code>
    /// byte[] content = await client.DownloadBytesAsync("bucket", "state.json");
    /// </code>
    /// </example>
    public static async Task<byte[]> DownloadBytesAsync(
        this ITransferClient client, string bucket, string key, DownloadOptions? options = null, CancellationToken cancellationToken = default)
    {
        ObjectReadStream stream = await client.OpenReadAsync(bucket, key, options, cancellationToken).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            if (stream.Length > Array.MaxLength)
            {
                throw new TransferException($"s3://{bucket}/{key} has {stream.Length} bytes, and an array can have {Array.MaxLength}. Read it as a stream.") { Bucket = bucket, Key = key };
            }

            byte[] content = new byte[stream.Length];
            await stream.ReadExactlyAsync(content, cancellationToken).ConfigureAwait(false);
            if (content.Length == 0)
            {
                await stream.ReadAtLeastAsync(new byte[1], 1, throwOnEndOfStream: false, cancellationToken).ConfigureAwait(false); // an empty object is verified at its end
            }

            return content;
        }
    }
}
