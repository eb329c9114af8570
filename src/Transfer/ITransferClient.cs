using System.Buffers;
using System.IO.Pipelines;

namespace Transfer.S3;

/// <summary>Transfers objects between an S3-compatible store and files, streams, pipes, and memory.</summary>
/// <remarks>
/// <para>All members are thread-safe.</para>
/// <para>
/// A minor version can add members, so don't implement the interface yourself. In tests, use a library that creates mocks, such as Moq, and set up the members of
/// this interface. Or use a <see cref="TransferClient"/> with the embedded server of the package Transfer.S3.Server. To change what a client does, wrap it in a
/// class of your own that has only the methods that your program needs.
/// </para>
/// <para>Every method can throw these exceptions:</para>
/// <list type="bullet">
/// <item><description>
/// <see cref="ArgumentException"/> or <see cref="ArgumentOutOfRangeException"/> if an argument or an option is invalid. Nothing has been sent then.
/// </description></item>
/// <item><description>
/// <see cref="OperationCanceledException"/> if the token is canceled, or <see cref="TransferCanceledException"/> if the canceled transfer could also not clean up.
/// </description></item>
/// <item><description><see cref="ChecksumMismatchException"/> if the content doesn't match its checksum.</description></item>
/// <item><description>
/// <see cref="TransferException"/> if the transfer fails for any other reason. <see cref="TransferException.Error"/> says which, for example
/// <see cref="TransferError.ObjectChanged"/> if the object is replaced during the transfer, or <see cref="TransferError.PreconditionFailed"/> or
/// <see cref="TransferError.NotModified"/> if a condition in the options isn't met.
/// </description></item>
/// <item><description><see cref="ObjectDisposedException"/> if the client was disposed.</description></item>
/// </list>
/// </remarks>
public interface ITransferClient
{
    /// <summary>Gets an object's properties (size, ETag, last-modified time, content type, metadata, and stored checksum) with a single HEAD request.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the request; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The properties of the object.</returns>
    /// <exception cref="TransferException">
    /// Thrown when the object doesn't exist (<see cref="TransferException.StatusCode"/> is 404), or when the request failed.
    /// </exception>
    /// <example>
    /// <code>
    /// ObjectInfo info = await client.GetInfoAsync("bucket", "report.csv");
    /// Console.WriteLine($"{info.Length} bytes of {info.ContentType}, modified at {info.LastModified}");
    /// </code>
    /// </example>
    Task<ObjectInfo> GetInfoAsync(string bucket, string key, ObjectAccessOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Opens an object for sequential reading while its parts are downloaded in parallel.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the download; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation while the stream is being opened. Reads take their own tokens.</param>
    /// <returns>The stream. The caller must dispose it.</returns>
    /// <exception cref="TransferException">
    /// Thrown when open streams already reserve half of the memory budget. Dispose some streams, or increase <see cref="TransferClientOptions.MemoryBytes"/>.
    /// </exception>
    /// <example>
    /// <code>
    /// await using ObjectReadStream stream = await client.OpenReadAsync("bucket", "report.csv");
    /// using StreamReader reader = new(stream);
    /// while (await reader.ReadLineAsync() is { } line)
    /// {
    ///     Console.WriteLine(line);
    /// }
    /// </code>
    /// </example>
    Task<ObjectReadStream> OpenReadAsync(string bucket, string key, DownloadOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Opens an object for reading at any position. What was read is cached, and reads that continue become parallel downloads.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the stream; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation while the stream is being opened. Reads take their own tokens.</param>
    /// <returns>The stream. The caller must dispose it.</returns>
    /// <remarks>
    /// By default, nothing is requested before the first read. Its response tells the size of the object, so errors such as a missing object are thrown then. See
    /// <see cref="SeekableReadOptions.Open"/>.
    /// </remarks>
    /// <exception cref="TransferException">
    /// Thrown when open streams already reserve half of the memory budget. Dispose some streams, or increase <see cref="TransferClientOptions.MemoryBytes"/>.
    /// </exception>
    /// <example>
    /// <code>
    /// using System.IO.Compression;
    ///
    /// await using SeekableObjectStream stream = await client.OpenSeekableAsync("bucket", "photos.zip");
    /// using ZipArchive archive = new(stream);
    /// foreach (ZipArchiveEntry entry in archive.Entries)
    /// {
    ///     Console.WriteLine(entry.FullName);
    /// }
    /// </code>
    /// </example>
    Task<SeekableObjectStream> OpenSeekableAsync(string bucket, string key, SeekableReadOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Reads many ranges of an object in parallel, and returns when all of them are in memory.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="ranges">
    /// The ranges, in any order. They can overlap. A range that extends beyond the end of the object is shortened, as <see cref="ObjectRange"/> describes.
    /// </param>
    /// <param name="options">The options of the call; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The buffers, in the order of <paramref name="ranges"/>. The caller must dispose the list, because the buffers hold memory of the client.</returns>
    /// <remarks>
    /// Ranges that are close to each other are read with one request, and large ranges with several (see <see cref="RangeReadOptions.MaxCoalescedBytes"/>). If the
    /// list is empty, no request is sent. The content isn't verified, because stores keep checksums of whole objects only.
    /// </remarks>
    /// <exception cref="TransferException">
    /// Thrown when the ranges together need more than half of <see cref="TransferClientOptions.MemoryBytes"/>, or when other callers hold the memory and don't release
    /// it. Each range takes at least one chunk (<see cref="AdvancedOptions.ChunkSizeBytes"/>), unless it is read together with a neighbor. Read fewer ranges at
    /// once, or use <see cref="EnumerateRangesAsync"/>.
    /// </exception>
    /// <exception cref="TransferException">
    /// Thrown when a range begins at or after the end of the object (<see cref="TransferException.StatusCode"/> is 416), or when a request failed. The memory of all
    /// ranges is released then.
    /// </exception>
    /// <example>
    /// <code>
    /// using RangeBuffers buffers = await client.ReadRangesAsync("bucket", "records.bin", [ObjectRange.From(0, 1024), ObjectRange.From(1 &lt;&lt; 20, 1024)]);
    /// foreach (RangeBuffer buffer in buffers)
    /// {
    ///     Console.WriteLine($"{buffer.Length} bytes from byte {buffer.Offset} on");
    /// }
    /// </code>
    /// </example>
    Task<RangeBuffers> ReadRangesAsync(string bucket, string key, IReadOnlyList<ObjectRange> ranges, RangeReadOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Reads many ranges of an object in parallel, and returns each one as soon as it is in memory.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="ranges">
    /// The ranges, in any order. They can overlap. A range that extends beyond the end of the object is shortened, as <see cref="ObjectRange"/> describes.
    /// </param>
    /// <param name="options">The options of the call; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>
    /// The buffers, in the order in which they arrive. <see cref="RangeBuffer.Index"/> is the index in <paramref name="ranges"/>. The caller must dispose each buffer.
    /// </returns>
    /// <remarks>
    /// Requests are sent while there is memory for their data, so dispose each buffer before you wait for many others. The transfer begins with the enumeration, and
    /// each enumeration is a new transfer. If the enumeration ends early, the requests in flight are canceled. Buffers that were returned remain valid until they are
    /// disposed. If a request fails, the next call throws, and ranges that have arrived but weren't returned are released. See <see cref="ReadRangesAsync"/> for how
    /// ranges are combined and divided.
    /// </remarks>
    /// <exception cref="TransferException">
    /// Thrown by the enumeration when one range needs more than half of <see cref="TransferClientOptions.MemoryBytes"/>, or when the caller or others hold the memory
    /// and don't release it.
    /// </exception>
    /// <exception cref="TransferException">
    /// Thrown by the enumeration when a range begins at or after the end of the object (<see cref="TransferException.StatusCode"/> is 416), or when a request failed.
    /// </exception>
    /// <example>
    /// <code>
    /// ObjectRange[] ranges = [ObjectRange.From(0, 1024), ObjectRange.From(1 &lt;&lt; 20, 1024), ObjectRange.Last(1024)];
    /// await foreach (RangeBuffer buffer in client.EnumerateRangesAsync("bucket", "records.bin", ranges))
    /// {
    ///     using (buffer)
    ///     {
    ///         Console.WriteLine($"Range {buffer.Index} of the list has {buffer.Length} bytes.");
    ///     }
    /// }
    /// </code>
    /// </example>
    IAsyncEnumerable<RangeBuffer> EnumerateRangesAsync(string bucket, string key, IReadOnlyList<ObjectRange> ranges, RangeReadOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>
    /// Downloads an object to a file. The data is written to a temporary file in the same directory, which is renamed to the target only after the download is
    /// complete and verified.
    /// </summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="path">The path of the file. Missing directories are created. The path can't be a directory.</param>
    /// <param name="options">The options of the download; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">
    /// The token to monitor for cancellation requests. A canceled download doesn't change the file at <paramref name="path"/>.
    /// </param>
    /// <returns>The result of the download.</returns>
    /// <example>
    /// <code>
    /// DownloadResult result = await client.DownloadAsync("bucket", "report.csv", "report.csv");
    /// Console.WriteLine($"{result.Info.Length} bytes, {(result.Verdict.IsVerified ? "verified" : result.Verdict.Reason)}");
    /// </code>
    /// </example>
    Task<DownloadResult> DownloadAsync(
        string bucket, string key, string path, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Downloads an object to a stream, in order. The stream is flushed at the end, but not disposed.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="destination">The stream to write to. Writing begins at its current position.</param>
    /// <param name="options">The options of the download; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests. Data that was already written stays in the stream.</param>
    /// <returns>The result of the download.</returns>
    /// <example>
    /// <code>
    /// await using Stream output = Console.OpenStandardOutput();
    /// await client.DownloadAsync("bucket", "report.csv", output);
    /// </code>
    /// </example>
    Task<DownloadResult> DownloadAsync(
        string bucket, string key, Stream destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Downloads an object to a pipe, in order. The pipe is flushed, but not completed.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="destination">The pipe to write to.</param>
    /// <param name="options">The options of the download; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests. Data that was already written stays in the pipe.</param>
    /// <returns>The result of the download.</returns>
    /// <exception cref="TransferException">Thrown when the download failed, or when the reader of the pipe was completed while bytes of the object remained to be written.</exception>
    /// <example>
    /// <code>
    /// using Microsoft.AspNetCore.Http;
    ///
    /// static async Task SendReportAsync(HttpResponse response, ITransferClient client, CancellationToken cancellationToken)
    ///     => await client.DownloadAsync("bucket", "report.csv", response.BodyWriter, cancellationToken: cancellationToken);
    /// </code>
    /// </example>
    Task<DownloadResult> DownloadAsync(
        string bucket, string key, PipeWriter destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Uploads a file, or all data from a named pipe or device.</summary>
    /// <remarks>
    /// A file that another <see cref="FileStream"/> has opened with <see cref="FileShare.None"/> can't be uploaded. The <see cref="TransferException"/> then has the
    /// <see cref="IOException"/> of .NET as its inner exception. During the upload, other code can't open the file with <see cref="FileShare.None"/>.
    /// </remarks>
    /// <param name="path">The path of the file, named pipe, or device.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the upload; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">
    /// The token to monitor for cancellation requests. A canceled upload publishes no object. It aborts its multipart upload, unless it can be resumed (see
    /// <see cref="UploadOptions.Resume"/>).
    /// </param>
    /// <returns>The result of the upload.</returns>
    /// <example>
    /// <code>
    /// UploadResult result = await client.UploadAsync("report.csv", "bucket", "report.csv", new UploadOptions { ContentType = "text/csv" });
    /// Console.WriteLine($"Uploaded in {result.Parts} parts, with the ETag {result.ETag}");
    /// </code>
    /// </example>
    Task<UploadResult> UploadAsync(
        string path, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Uploads a stream from its current position to its end. The stream is not disposed.</summary>
    /// <remarks>
    /// Parts are uploaded in parallel even if the length isn't known in advance. The length is known if the stream can seek, or if it is an
    /// <see cref="ObjectReadStream"/>. Otherwise, the memory of the client limits the size of the object; see <see cref="UploadOptions.PartSizeBytes"/>.
    /// </remarks>
    /// <param name="source">The stream to read.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the upload; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">
    /// The token to monitor for cancellation requests. A canceled upload publishes no object, and its multipart upload is aborted.
    /// </param>
    /// <returns>The result of the upload.</returns>
    /// <example>
    /// <code>
    /// using HttpClient http = new();
    /// using HttpResponseMessage response = await http.GetAsync("https://example.com/data.csv", HttpCompletionOption.ResponseHeadersRead);
    /// await using Stream source = await response.EnsureSuccessStatusCode().Content.ReadAsStreamAsync();
    /// await client.UploadAsync(source, "bucket", "data.csv", new UploadOptions { Length = response.Content.Headers.ContentLength });
    /// </code>
    /// </example>
    Task<UploadResult> UploadAsync(
        Stream source, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Uploads all data from a pipe. The reader is not completed.</summary>
    /// <param name="source">The pipe to read.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the upload; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">
    /// The token to monitor for cancellation requests. A canceled upload publishes no object, and its multipart upload is aborted.
    /// </param>
    /// <returns>The result of the upload.</returns>
    /// <example>
    /// <code>
    /// using Microsoft.AspNetCore.Http;
    ///
    /// static async Task ReceiveReportAsync(HttpRequest request, ITransferClient client, CancellationToken cancellationToken)
    ///     => await client.UploadAsync(request.BodyReader, "bucket", "report.csv", new UploadOptions { Length = request.ContentLength }, cancellationToken: cancellationToken);
    /// </code>
    /// </example>
    Task<UploadResult> UploadAsync(
        PipeReader source, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Uploads data from memory without copying it. The memory must stay valid and unchanged until the returned task completes.</summary>
    /// <param name="source">The data to upload.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the upload; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">
    /// The token to monitor for cancellation requests. A canceled upload publishes no object, and its multipart upload is aborted.
    /// </param>
    /// <returns>The result of the upload.</returns>
    /// <example>
    /// <code>
    /// using System.Buffers;
    /// using System.Text.Json;
    ///
    /// ArrayBufferWriter&lt;byte> buffer = new();
    /// using (Utf8JsonWriter writer = new(buffer))
    /// {
    ///     JsonSerializer.Serialize(writer, new { Name = "report", Rows = 12 });
    /// }
    ///
    /// await client.UploadAsync(new ReadOnlySequence&lt;byte>(buffer.WrittenMemory), "bucket", "report.json");
    /// </code>
    /// </example>
    Task<UploadResult> UploadAsync(
        ReadOnlySequence<byte> source, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Copies an object within the store, to the same or another bucket of the same endpoint. The data isn't transferred through this machine.</summary>
    /// <remarks>
    /// The content type, cache headers, and user metadata are copied as well. Every request is bound to the state of the source that the first request found
    /// (<c>x-amz-copy-source-if-match</c>; Amazon S3 API Reference, "CopyObject" and "UploadPartCopy").
    /// </remarks>
    /// <param name="source">The source object.</param>
    /// <param name="target">The target object.</param>
    /// <param name="options">The options of the copy; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">
    /// The token to monitor for cancellation requests. A canceled copy publishes no object, and its multipart upload is aborted.
    /// </param>
    /// <returns>The result of the copy.</returns>
    /// <exception cref="TransferException">Thrown when the source is replaced or deleted during the copy (<see cref="TransferError.ObjectChanged"/>).</exception>
    /// <example>
    /// <code>
    /// CopyResult result = await client.CopyAsync(new S3Uri("bucket", "report.csv"), new S3Uri("archive", "2026/report.csv"));
    /// Console.WriteLine($"The copy has the ETag {result.ETag}.");
    /// </code>
    /// </example>
    Task<CopyResult> CopyAsync(
        S3Uri source, S3Uri target, CopyOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Copies an object of this client's store to the store of another client. The data passes through this machine, but not through a file.</summary>
    /// <remarks>
    /// <para>
    /// Ranges of the source are read in parallel into the memory of the parts of the target, within the memory budget of <paramref name="targetClient"/>. Every request is
    /// bound to the state of the source in the first response. The data is compared with the checksum of the source store before the target is published, and with
    /// the checksum that the target store confirms.
    /// </para>
    /// <para>
    /// The content type, cache headers, user metadata, and tags are kept. <see cref="CopyResult.LostProperties"/> contains what could not be kept.
    /// <see cref="TransferException.CopySide"/> tells which store an error is about.
    /// </para>
    /// </remarks>
    /// <param name="source">The source object.</param>
    /// <param name="targetClient">The client of the target's store. The copy counts as one of its uploads.</param>
    /// <param name="target">The target object.</param>
    /// <param name="options">The options of the copy; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">
    /// The token to monitor for cancellation requests. A canceled copy publishes no object, and its multipart upload is aborted.
    /// </param>
    /// <returns>The result of the copy.</returns>
    /// <exception cref="TransferException">Thrown when the source is replaced or deleted during the copy (<see cref="TransferError.ObjectChanged"/>).</exception>
    /// <example>
    /// <code>
    /// S3Uri report = new("bucket", "report.csv");
    /// CopyResult result = await client.CopyAsync(report, targetClient, report);
    /// Console.WriteLine($"Not copied: {string.Join(", ", result.LostProperties)}");
    /// </code>
    /// </example>
    Task<CopyResult> CopyAsync(
        S3Uri source, TransferClient targetClient, S3Uri target, StoreCopyOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Moves a file to an object: uploads it and, if the object is verified, deletes the file.</summary>
    /// <remarks>
    /// The file is deleted only if it hasn't changed and is still at its path. If the upload isn't verified, or the file can't be deleted, both remain, and the call
    /// fails. It can be repeated.
    /// </remarks>
    /// <param name="path">The path of the file. It can't be a link.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the upload; <see langword="null"/> for the defaults. <see cref="UploadOptions.Checksum"/> must not be none.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result of the upload.</returns>
    /// <example>
    /// <code>
    /// await client.MoveToStoreAsync("logs/today.log", "bucket", "logs/2026-11-28.log");
    /// </code>
    /// </example>
    Task<UploadResult> MoveToStoreAsync(
        string path, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Moves an object to a file: downloads it and, if the file is verified and flushed to disk, deletes the object.</summary>
    /// <remarks>
    /// The object is deleted only if it still has the ETag that was downloaded; see <see cref="DeleteOptions.IfMatch"/>. If the content isn't verified, or the object
    /// can't be deleted, both remain, and the call fails. It can be repeated.
    /// </remarks>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="path">The path of the file.</param>
    /// <param name="options">The options of the download; <see langword="null"/> for the defaults. A range, a version, or no verification isn't accepted.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result of the download.</returns>
    /// <exception cref="TransferException">Thrown when the object is replaced before it is deleted (<see cref="TransferError.ObjectChanged"/>). The new object remains.</exception>
    /// <example>
    /// <code>
    /// await client.MoveToFileAsync("bucket", "inbox/order-17.xml", "inbox/order-17.xml");
    /// </code>
    /// </example>
    Task<DownloadResult> MoveToFileAsync(
        string bucket, string key, string path, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Moves an object within the store: copies it and, if the copy is verified, deletes the source.</summary>
    /// <remarks>
    /// The source is deleted only if it still has the ETag that was copied; see <see cref="DeleteOptions.IfMatch"/>. If the copy isn't verified, or the source can't be
    /// deleted, both remain, and the call fails. It can be repeated. If both keys are the same, a HEAD request first finds out whether both buckets are the same one
    /// under two names.
    /// </remarks>
    /// <param name="source">The source object.</param>
    /// <param name="target">The target object.</param>
    /// <param name="options">The options of the copy; <see langword="null"/> for the defaults. A version isn't accepted.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result of the copy.</returns>
    /// <exception cref="TransferException">Thrown when the source is replaced during the copy, or before it is deleted (<see cref="TransferError.ObjectChanged"/>). The new object remains.</exception>
    /// <example>
    /// <code>
    /// await client.MoveAsync(new S3Uri("bucket", "inbox/order-17.xml"), new S3Uri("bucket", "done/order-17.xml"));
    /// </code>
    /// </example>
    Task<CopyResult> MoveAsync(
        S3Uri source, S3Uri target, CopyOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Moves an object to another store: copies it through this machine and, if the copy is verified, deletes the source.</summary>
    /// <inheritdoc cref="MoveAsync(S3Uri, S3Uri, CopyOptions, IProgress{TransferProgress}, CancellationToken)" path="/remarks"/>
    /// <param name="source">The source object.</param>
    /// <param name="targetClient">The client of the target's store.</param>
    /// <param name="target">The target object.</param>
    /// <param name="options">The options of the copy; <see langword="null"/> for the defaults. A range, a version, or no verification isn't accepted.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result of the copy.</returns>
    /// <exception cref="TransferException">Thrown when the source is replaced during the copy, or before it is deleted (<see cref="TransferError.ObjectChanged"/>). The new object remains.</exception>
    /// <example>
    /// <code>
    /// S3Uri order = new("bucket", "done/order-17.xml");
    /// await client.MoveAsync(order, targetClient, order);
    /// </code>
    /// </example>
    Task<CopyResult> MoveAsync(
        S3Uri source, TransferClient targetClient, S3Uri target, StoreCopyOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Reads all objects under a prefix, or those of a list of keys: opens many at a time, and passes each to a callback.</summary>
    /// <remarks>
    /// <para>
    /// As many objects are open as the link needs, and the callback runs for several at the same time. Objects are read while the listing is still being read, and
    /// the listing contains their sizes and ETags, so a small object takes one request. An object of any size can be read, because each is a stream.
    /// </para>
    /// <para>
    /// The content is verified when the callback has read all of it, as with <see cref="OpenReadAsync(string, string, DownloadOptions?, CancellationToken)"/>. The callback need not read all of it. The stream is disposed
    /// when the callback has ended.
    /// </para>
    /// <para>
    /// A <see cref="TransferException"/>, also one that the callback throws, is the failure of its object, and <see cref="ReadObjectsOptions.OnFailure"/> decides what
    /// happens then. Any other exception of the callback ends the call, which throws it after the other callbacks have ended.
    /// </para>
    /// <para>
    /// Objects of 0 bytes whose key ends in a slash are skipped, because consoles create them to show a folder.
    /// </para>
    /// </remarks>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="prefix">The prefix of the keys: the name of a folder, with or without a trailing slash, or an empty string for the whole bucket.</param>
    /// <param name="readAsync">Reads one object. It receives the key, the stream, and a token that is canceled when the call ends early.</param>
    /// <param name="options">The options of the transfer; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates for all objects together; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result of the transfer. With <see cref="FailurePolicy.Continue"/>, it includes the objects that failed.</returns>
    /// <example>
    /// <code>
    /// long lines = 0;
    /// DirectoryResult result = await client.ReadObjectsAsync("bucket", "logs/", async (name, stream, token) =>
    /// {
    ///     using StreamReader reader = new(stream);
    ///     while (await reader.ReadLineAsync(token) is not null)
    ///     {
    ///         Interlocked.Increment(ref lines);
    ///     }
    /// });
    /// Console.WriteLine($"{lines} lines in {result.Counts.Copied} objects");
    /// </code>
    /// </example>
    Task<DirectoryResult> ReadObjectsAsync(
        string bucket,
        string prefix,
        Func<string, ObjectReadStream, CancellationToken, Task> readAsync,
        ReadObjectsOptions? options = null,
        IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default);

    /// <summary>Copies the files in a folder or the objects under a prefix to another folder or prefix. The store copies what is in it.</summary>
    /// <remarks>
    /// <para>
    /// The name of each copy is the path of its source relative to the source. Files and objects are copied while the folder or the listing is still being read, each in
    /// the state that it has then. Each file appears under its name only after it is complete and verified. A small object is downloaded with one request, because the
    /// listing contains its size and ETag.
    /// </para>
    /// <para>
    /// Entries of a folder that aren't files, such as named pipes and devices, are reported as failures. Keys that can't be files under a folder are, too, and nothing is
    /// written outside of it. These are:
    /// </para>
    /// <list type="bullet">
    /// <item><description>keys with <c>..</c>, an empty name, and, without <see cref="TreeTransferOptions.AllowSpecialNames"/>, a backslash, a drive letter, or a control character;</description></item>
    /// <item><description>keys that would need a directory where another key is a file, such as <c>a/b</c> and <c>a</c>;</description></item>
    /// <item><description>keys that the file system can't distinguish from another key, for example because they differ only by case.</description></item>
    /// </list>
    /// <para>
    /// Symbolic links in the folder of a target are not followed. Copies from prefix to prefix can have any key, and include objects that represent folders. If both
    /// prefixes are in the same bucket, the target can't be under the source. If the source is under the target, an object whose new key would be under the source
    /// prefix is reported as a failure.
    /// </para>
    /// </remarks>
    /// <param name="source">The source. One of both sides must be in the store.</param>
    /// <param name="target">The target. If it is a folder that doesn't exist, it is created when there is something to copy.</param>
    /// <param name="options">The options of the transfer; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates for all objects together; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">
    /// The token to monitor for cancellation requests. Files and objects that are complete are kept. Uploads in progress are aborted, unless they can be resumed (see
    /// <see cref="UploadOptions.Resume"/>).
    /// </param>
    /// <returns>The result of the transfer. With <see cref="FailurePolicy.Continue"/>, it includes what failed.</returns>
    /// <exception cref="ArgumentException">Thrown when the target is the source, or under it.</exception>
    /// <exception cref="TransferException">Thrown when a side doesn't exist or can't be read or, with <see cref="FailurePolicy.Abort"/>, for the first failure.</exception>
    /// <example>
    /// <code>
    /// DirectoryResult result = await client.CopyTreeAsync(Place.InDirectory("photos"), Place.InBucket("bucket", "photos/"));
    /// Console.WriteLine($"{result.Counts.Copied} files, {ByteSize.Format(result.Counts.Bytes)}");
    /// </code>
    /// </example>
    Task<DirectoryResult> CopyTreeAsync(
        Place source, Place target, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Copies the objects under a prefix of this store to a prefix of another one. The data passes through this machine, but not through a file.</summary>
    /// <param name="source">The source: a prefix.</param>
    /// <param name="targetClient">The client of the target's store. It runs the copy.</param>
    /// <param name="target">The target: a prefix.</param>
    /// <param name="options">
    /// The options of the transfer; <see langword="null"/> for the defaults. <see cref="TreeTransferOptions.Download"/> is for the source, and
    /// <see cref="TreeTransferOptions.Upload"/> for the target.
    /// </param>
    /// <param name="progress">Receives progress updates for all objects together; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <inheritdoc cref="CopyTreeAsync(Place, Place, DirectoryOptions?, IProgress{TransferProgress}?, CancellationToken)" path="/*[self::returns or self::exception or self::remarks]"/>
    /// <example>
    /// <code>
    /// await client.CopyTreeAsync(Place.InBucket("bucket", "photos/"), targetClient, Place.InBucket("backup", "photos/"));
    /// </code>
    /// </example>
    Task<DirectoryResult> CopyTreeAsync(
        Place source, TransferClient targetClient, Place target, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Makes a folder or the objects under a prefix the same as another folder or prefix. The store copies what is in it.</summary>
    /// <param name="source">The source. One of both sides must be in the store.</param>
    /// <param name="target">The target. A folder is created if it doesn't exist. A prefix must not overlap with that of the source.</param>
    /// <param name="options">The options; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates of all copies together; <see langword="null"/> if none are needed.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>What was done. <see cref="Counts.IsComplete"/> tells whether it was everything.</returns>
    /// <exception cref="TransferException">
    /// Thrown when the source is missing or empty, when more would be deleted than allowed, or when a side can't be read to its end. With <see
    /// cref="FailurePolicy.Abort"/>, also thrown for the first failure or conflict. Nothing was deleted.
    /// </exception>
    /// <exception cref="OperationCanceledException">Thrown when the operation is canceled. The same call continues it.</exception>
    /// <remarks>
    /// Each copy is bound to the source and the target as they were listed. If one of them has changed, nothing is replaced, and the name is reported as a conflict.
    /// </remarks>
    /// <example>
    /// <code>
    /// DirectoryResult result = await client.SyncAsync(Place.InDirectory("site"), Place.InBucket("bucket", "site/"), new SyncOptions { Delete = true });
    /// Console.WriteLine($"{result.Counts.Copied} copied, {result.Counts.Replaced} replaced, {result.Counts.Deleted} deleted");
    /// </code>
    /// </example>
    Task<DirectoryResult> SyncAsync(
        Place source, Place target, SyncOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Makes the objects under a prefix of another store the same as those under a prefix of this store.</summary>
    /// <param name="source">The source: a prefix.</param>
    /// <param name="targetClient">The client of the target's store. It runs the synchronization.</param>
    /// <param name="target">The target: a prefix. It must not overlap with the source.</param>
    /// <param name="options">The options; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates of all copies together; <see langword="null"/> if none are needed.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <inheritdoc cref="SyncAsync(Place, Place, SyncOptions?, IProgress{TransferProgress}?, CancellationToken)" path="/*[self::returns or self::exception or self::remarks]"/>
    /// <example>
    /// <code>
    /// Place photos = Place.InBucket("bucket", "photos/");
    /// await client.SyncAsync(photos, targetClient, photos);
    /// </code>
    /// </example>
    Task<DirectoryResult> SyncAsync(
        Place source, TransferClient targetClient, Place target, SyncOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Determines what <see cref="SyncAsync(Place, Place, SyncOptions?, IProgress{TransferProgress}?, CancellationToken)"/> would do, without doing it.</summary>
    /// <param name="source">The source. One of both sides must be in the store.</param>
    /// <param name="target">The target.</param>
    /// <param name="options">The options; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The outcomes that are planned, in the order of the names, and after them the deletions. Nothing is changed.</returns>
    /// <exception cref="TransferException">
    /// Thrown during the enumeration when the source is missing or empty, or a side can't be read to its end, and at its end when more would be deleted than allowed.
    /// </exception>
    /// <example>
    /// <code>
    /// await foreach (Outcome planned in client.PlanSyncAsync(Place.InDirectory("site"), Place.InBucket("bucket", "site/")))
    /// {
    ///     Console.WriteLine($"{planned.Operation} {planned.Name}: {planned.Reason}");
    /// }
    /// </code>
    /// </example>
    IAsyncEnumerable<Outcome> PlanSyncAsync(Place source, Place target, SyncOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Determines what <see cref="SyncAsync(Place, TransferClient, Place, SyncOptions?, IProgress{TransferProgress}?, CancellationToken)"/> would do, without doing it.</summary>
    /// <param name="source">The source: a prefix.</param>
    /// <param name="targetClient">The client of the target's store.</param>
    /// <param name="target">The target: a prefix.</param>
    /// <param name="options">The options; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <inheritdoc cref="PlanSyncAsync(Place, Place, SyncOptions?, CancellationToken)" path="/*[self::returns or self::exception]"/>
    /// <example>
    /// <code>
    /// Place photos = Place.InBucket("bucket", "photos/");
    /// await foreach (Outcome planned in client.PlanSyncAsync(photos, targetClient, photos))
    /// {
    ///     Console.WriteLine($"{planned.Operation} {planned.Name}: {planned.Reason}");
    /// }
    /// </code>
    /// </example>
    IAsyncEnumerable<Outcome> PlanSyncAsync(Place source, TransferClient targetClient, Place target, SyncOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Compares a file with an object. The object is read only if its properties don't show whether both are the same.</summary>
    /// <remarks>
    /// <para>
    /// The comparison uses the first of these that is conclusive: the sizes; the checksum that the store holds, of the content or of the parts; the ETag, if it is
    /// made of MD5s; and otherwise the content of the object.
    /// </para>
    /// <para>
    /// The file is read once, from its beginning to its end. It is read a second time only if the object turns out to have parts of different lengths. The ETag of a
    /// multipart object can prove that both are the same, but not that they differ, because some stores compute it in their own way. A difference is a result, not
    /// an error.
    /// </para>
    /// </remarks>
    /// <param name="path">The path of the file.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the comparison; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result of the comparison: whether both are the same, and how that was determined.</returns>
    /// <exception cref="TransferException">
    /// Thrown when the file or the object doesn't exist or can't be read, or when the file is changed during the comparison.
    /// </exception>
    /// <exception cref="TransferException">Thrown when the object is replaced or deleted during the comparison (<see cref="TransferError.ObjectChanged"/>).</exception>
    /// <exception cref="TransferException">Thrown when the object must be read, and open streams already reserve half of the memory budget.</exception>
    /// <example>
    /// <code>
    /// VerifyResult result = await client.VerifyAsync("report.csv", "bucket", "report.csv");
    /// Console.WriteLine(result.IsSame ? $"The same, by {result.Method}" : $"Different: {result.Difference}");
    /// </code>
    /// </example>
    Task<VerifyResult> VerifyAsync(string path, string bucket, string key, VerifyOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Compares a folder with a prefix, or two prefixes of the store: each file or object with that of the same name, as by <see cref="VerifyAsync"/>.</summary>
    /// <remarks>
    /// <para>
    /// The comparison always continues and reports every difference. It fails only if it can't continue, for example because the listing fails. No request is
    /// sent for objects whose size differs from the file's, or for small objects whose ETag in the listing is the MD5 of the file. An object named <c>folder/</c> is
    /// compared with the directory of that name; a directory without such an object isn't a difference. If a directory can't be read, the objects under its name are
    /// neither compared nor reported as missing. Objects whose key can't be a file are reported as <see cref="OutcomeStatus.OnlyAtTarget"/>.
    /// </para>
    /// <para>
    /// The listing and the directory are read side by side, in the order of the UTF-8 bytes of the keys. Memory holds only a few pages of the listing, some thousand
    /// pairs that wait to be compared, and the directories on the current path. Directories with more than 250,000 entries are read several times. If a store lists
    /// keys in another order, the comparison fails, because missing objects couldn't be detected. Directory buckets of Amazon S3 have no order: their whole listing
    /// is sorted in memory first, which takes about 300 bytes for each object.
    /// </para>
    /// </remarks>
    /// <param name="source">One side. One of both must be in the store.</param>
    /// <param name="target">The other side.</param>
    /// <param name="options">The options of the comparison; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none. The bytes are those of the files that have been compared.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result of the comparison: the numbers of equal and different objects, and the first differences.</returns>
    /// <exception cref="TransferException">Thrown when a side doesn't exist or can't be read, or when a listing isn't in order.</exception>
    /// <example>
    /// <code>
    /// DirectoryResult result = await client.VerifyTreeAsync(Place.InDirectory("photos"), Place.InBucket("bucket", "photos/"));
    /// foreach (Outcome outcome in result.Failures)
    /// {
    ///     Console.WriteLine($"{outcome.Name}: {outcome.Status} ({outcome.Reason})");
    /// }
    /// </code>
    /// </example>
    Task<DirectoryResult> VerifyTreeAsync(
        Place source, Place target, VerifyDirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Compares the objects under a prefix of this store with those under a prefix of another one.</summary>
    /// <param name="source">One side: a prefix of this store.</param>
    /// <param name="targetClient">The client of the other side.</param>
    /// <param name="target">The other side: a prefix.</param>
    /// <param name="options">The options of the comparison; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <inheritdoc cref="VerifyTreeAsync(Place, Place, VerifyDirectoryOptions?, IProgress{TransferProgress}?, CancellationToken)" path="/*[self::returns or self::exception or self::remarks]"/>
    /// <example>
    /// <code>
    /// Place photos = Place.InBucket("bucket", "photos/");
    /// DirectoryResult result = await client.VerifyTreeAsync(photos, targetClient, photos);
    /// Console.WriteLine($"{result.Counts.Same} are the same, {result.Counts.Different} differ");
    /// </code>
    /// </example>
    Task<DirectoryResult> VerifyTreeAsync(
        Place source, TransferClient targetClient, Place target, VerifyDirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Lists the objects under a prefix.</summary>
    /// <remarks>
    /// <para>
    /// The next page is requested while one is processed. If pages arrive more slowly than they are processed, ranges of keys are listed at the same time, and returned
    /// in order. Pages that are read ahead take up to a sixteenth of <see cref="TransferClientOptions.MemoryBytes"/>. The listing begins with the enumeration, and each
    /// enumeration is a new listing. An enumeration that ends without an exception was complete.
    /// </para>
    /// <para>
    /// Stores list keys in the order of their UTF-8 bytes. With <see cref="ListObjectsOptions.Delimiter"/>, the prefixes of each page come before its objects.
    /// Directory buckets of Amazon S3 have no order.
    /// </para>
    /// </remarks>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="prefix">The prefix of the keys, or an empty string for the whole bucket. A key is also the prefix of longer keys.</param>
    /// <param name="options">The options of the listing; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The objects.</returns>
    /// <exception cref="TransferException">
    /// Thrown by the enumeration when a request failed, when the store returned an incomplete or endless listing, or, at the end, when it also listed keys that are
    /// not under the prefix.
    /// </exception>
    /// <example>
    /// <code>
    /// await foreach (ListedObject item in client.ListObjectsAsync("bucket", "photos/"))
    /// {
    ///     Console.WriteLine($"{item.Key}: {item.Length} bytes");
    /// }
    /// </code>
    /// </example>
    IAsyncEnumerable<ListedObject> ListObjectsAsync(string bucket, string prefix = "", ListObjectsOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Lists the buckets that the credentials can list.</summary>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The buckets, in the order of the store.</returns>
    /// <exception cref="TransferException">Thrown by the enumeration when a request failed, or when the store returned an incomplete or endless list.</exception>
    /// <example>
    /// <code>
    /// await foreach (ListedBucket bucket in client.ListBucketsAsync())
    /// {
    ///     Console.WriteLine(bucket.Name);
    /// }
    /// </code>
    /// </example>
    IAsyncEnumerable<ListedBucket> ListBucketsAsync(CancellationToken cancellationToken = default);

    /// <summary>Finds the version that an object had at a time, in a bucket that keeps versions.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="asOf">The time, by the clock of the store.</param>
    /// <param name="options">The options of the requests; <see langword="null"/> for the defaults. <see cref="ObjectAccessOptions.VersionId"/> must not be set.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The version, whose <see cref="ListedObject.VersionId"/> the options of a download, a copy, or a comparison accept.</returns>
    /// <exception cref="TransferException">
    /// Thrown with status 404 when the object didn't exist at that time, because it was deleted, or because all of its versions are younger, or when a request failed.
    /// For what a bucket without versions has, see <see cref="ListObjectsOptions.AsOf"/>.
    /// </exception>
    /// <example>
    /// <code>
    /// ListedObject version = await client.FindVersionAsync("bucket", "report.csv", DateTimeOffset.UtcNow.AddDays(-7));
    /// await client.DownloadAsync("bucket", "report.csv", "last-week.csv", new DownloadOptions { VersionId = version.VersionId });
    /// </code>
    /// </example>
    Task<ListedObject> FindVersionAsync(string bucket, string key, DateTimeOffset asOf, ObjectAccessOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Lists the parts in which an object was uploaded.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the request; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>
    /// The parts, by their numbers. There are none if the object was uploaded with a single request, or if the store doesn't list them: Amazon S3 lists only the parts of
    /// objects that were uploaded with a checksum (Amazon S3 API Reference, "GetObjectAttributes").
    /// </returns>
    /// <exception cref="TransferException">Thrown by the enumeration when a request failed, or when the store returned an incomplete or endless list.</exception>
    /// <example>
    /// <code>
    /// await foreach (ListedPart part in client.ListPartsAsync("bucket", "movie.mkv"))
    /// {
    ///     Console.WriteLine($"Part {part.Number}: {part.Length} bytes, {part.Checksum?.Value ?? "no checksum"}");
    /// }
    /// </code>
    /// </example>
    IAsyncEnumerable<ListedPart> ListPartsAsync(string bucket, string key, ObjectAccessOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Lists the incomplete multipart uploads under a prefix. Their parts use storage that you pay for.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="prefix">The prefix of the keys, or an empty string for the whole bucket. A key is also the prefix of longer keys.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The uploads, in the order of the store, which is by key.</returns>
    /// <exception cref="TransferException">Thrown by the enumeration when a request failed, or when the store returned an incomplete or endless list.</exception>
    /// <example>
    /// <code>
    /// await foreach (UnfinishedUpload upload in client.ListUploadsAsync("bucket"))
    /// {
    ///     Console.WriteLine($"{upload.Key}, begun at {upload.Initiated}");
    /// }
    /// </code>
    /// </example>
    IAsyncEnumerable<UnfinishedUpload> ListUploadsAsync(string bucket, string prefix = "", CancellationToken cancellationToken = default);

    /// <summary>Gets the tags of an object.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">
    /// The options of the request; <see langword="null"/> for the defaults. Tags aren't encrypted, so <see cref="ObjectAccessOptions.CustomerKey"/> isn't used.
    /// </param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The tags; empty if there are none.</returns>
    /// <example>
    /// <code>
    /// foreach ((string name, string value) in await client.GetTagsAsync("bucket", "report.csv"))
    /// {
    ///     Console.WriteLine($"{name}={value}");
    /// }
    /// </code>
    /// </example>
    Task<IReadOnlyDictionary<string, string>> GetTagsAsync(string bucket, string key, ObjectAccessOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Replaces all tags of an object.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="tags">The new tags. If there are none, all tags are deleted.</param>
    /// <param name="options">
    /// The options of the request; <see langword="null"/> for the defaults. Tags aren't encrypted, so <see cref="ObjectAccessOptions.CustomerKey"/> isn't used.
    /// </param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>A task that completes when the store has confirmed the change.</returns>
    /// <example>
    /// <code>
    /// await client.SetTagsAsync("bucket", "report.csv", new Dictionary&lt;string, string> { ["department"] = "sales", ["reviewed"] = "yes" });
    /// </code>
    /// </example>
    Task SetTagsAsync(string bucket, string key, IReadOnlyDictionary<string, string> tags, ObjectAccessOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Deletes an object.</summary>
    /// <remarks>
    /// An object that doesn't exist is no error, also with <see cref="DeleteOptions.IfMatch"/>, so the call can be repeated. In a versioned bucket, the object gets a
    /// delete marker, unless <see cref="DeleteOptions.VersionId"/> is set.
    /// </remarks>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the deletion; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests. If it is canceled during the request, the object may have been deleted.</param>
    /// <returns>The result of the deletion, after the store has confirmed it.</returns>
    /// <exception cref="TransferException">
    /// Thrown with <see cref="TransferError.PreconditionFailed"/> when the object has another ETag than <see cref="DeleteOptions.IfMatch"/>. It was not deleted.
    /// </exception>
    /// <exception cref="TransferException">Thrown when the object was not deleted, or when the store doesn't tell whether it was.</exception>
    /// <example>
    /// <code>
    /// await client.DeleteAsync("bucket", "report.csv");
    /// </code>
    /// </example>
    Task<DeleteResult> DeleteAsync(string bucket, string key, DeleteOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Deletes the objects under a prefix, up to 1,000 with each request.</summary>
    /// <remarks>
    /// <para>
    /// Objects are deleted while the listing is still being read, so memory doesn't grow with their number. Objects that are added during the call may be deleted or
    /// not. If a store refuses some objects of a request temporarily, only these are sent again. If a store doesn't support such requests, each object is deleted
    /// with a request of its own, and so are keys with characters that XML can't contain.
    /// </para>
    /// <para>In a versioned bucket, each object gets a delete marker, and its versions remain.</para>
    /// </remarks>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="prefix">
    /// The prefix of the keys: the name of a folder, with or without a trailing slash. An empty string is accepted only with
    /// <see cref="DeleteDirectoryOptions.WholeBucket"/>.
    /// </param>
    /// <param name="options">The options of the deletion; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none. Their numbers of objects count, and no bytes are transferred.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests. Objects that were already deleted stay deleted.</param>
    /// <returns>The result of the deletion. With <see cref="FailurePolicy.Continue"/>, it includes the objects that failed.</returns>
    /// <exception cref="TransferException">Thrown when more objects would be deleted than the options allow.</exception>
    /// <exception cref="TransferException">Thrown when the listing fails or, with <see cref="FailurePolicy.Abort"/>, when an object could not be deleted.</exception>
    /// <example>
    /// <code>
    /// DirectoryResult result = await client.DeleteTreeAsync("bucket", "logs/2025/", new DeleteDirectoryOptions { MaxDelete = DeletionLimit.Count(10_000) });
    /// Console.WriteLine($"{result.Counts.Deleted} objects deleted");
    /// </code>
    /// </example>
    Task<DirectoryResult> DeleteTreeAsync(
        string bucket, string prefix, DeleteDirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Creates a bucket in the region of the client.</summary>
    /// <remarks>If a response is lost, the repeated request can fail because the bucket exists already.</remarks>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>A task that completes when the store has confirmed the change.</returns>
    /// <example>
    /// <code>
    /// await client.CreateBucketAsync("photos-of-2026");
    /// </code>
    /// </example>
    Task CreateBucketAsync(string bucket, CancellationToken cancellationToken = default);

    /// <summary>Deletes an empty bucket. A bucket that contains objects isn't deleted, and neither are its objects.</summary>
    /// <remarks>If a response is lost, the repeated request can fail because there is no such bucket anymore.</remarks>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>A task that completes when the store has confirmed the change.</returns>
    /// <example>
    /// <code>
    /// await client.DeleteTreeAsync("photos-of-2026", "", new DeleteDirectoryOptions { WholeBucket = true });
    /// await client.DeleteBucketAsync("photos-of-2026");
    /// </code>
    /// </example>
    Task DeleteBucketAsync(string bucket, CancellationToken cancellationToken = default);

    /// <summary>Aborts incomplete multipart uploads, or only old ones. Their parts use storage that you pay for.</summary>
    /// <remarks>
    /// If one upload can't be aborted, the others are still aborted. An upload that is completed or aborted by another client in the meantime isn't part of the
    /// result. A part that is still being sent can remain after its upload was aborted (Amazon S3 API Reference, "AbortMultipartUpload"). Call the method again
    /// later to remove it.
    /// </remarks>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="prefix">The prefix of the keys, or an empty string for the whole bucket. A key is also the prefix of longer keys.</param>
    /// <param name="options">The options of the call; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests. Uploads that were already aborted stay aborted.</param>
    /// <returns>The uploads that were aborted, and those that could not be aborted.</returns>
    /// <exception cref="TransferException">Thrown when the uploads could not be listed. No upload was aborted.</exception>
    /// <example>
    /// <code>
    /// AbortUploadsResult result = await client.AbortUploadsAsync("bucket", "", new AbortUploadsOptions { OlderThan = TimeSpan.FromDays(7) });
    /// Console.WriteLine($"{result.Aborted.Count} aborted, {result.KeptCount} kept, {result.Failures.Count} failed");
    /// </code>
    /// </example>
    Task<AbortUploadsResult> AbortUploadsAsync(string bucket, string prefix, AbortUploadsOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>
    /// Opens a stream that writes an object. Full parts are uploaded in the background while the next part is being written. The object is published by
    /// <see cref="ObjectWriteStream.CompleteAsync"/>.
    /// </summary>
    /// <remarks>Nothing is sent before the first part is full, or the stream is completed.</remarks>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the upload; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation while the stream is being opened. Writes take their own tokens.</param>
    /// <returns>The stream. The caller must dispose it.</returns>
    /// <exception cref="TransferException">
    /// Thrown when open streams already reserve half of the memory budget. Dispose some streams, or increase <see cref="TransferClientOptions.MemoryBytes"/>.
    /// </exception>
    /// <example>
    /// <code>
    /// await using ObjectWriteStream stream = await client.OpenWriteAsync("bucket", "numbers.txt", new UploadOptions { ContentType = "text/plain" });
    /// await using (StreamWriter writer = new(stream, leaveOpen: true))
    /// {
    ///     for (int number = 0; number &lt; 1_000_000; number++)
    ///     {
    ///         await writer.WriteLineAsync($"{number}");
    ///     }
    /// }
    ///
    /// UploadResult result = await stream.CompleteAsync(); // without it, no object is created
    /// </code>
    /// </example>
    Task<ObjectWriteStream> OpenWriteAsync(string bucket, string key, UploadOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>
    /// Creates an upload whose parts somebody without credentials sends, such as a browser or an agent, and signs the URL of each part. The content doesn't pass this
    /// process.
    /// </summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="length">The number of bytes of the object. Each URL is for exactly the bytes of its part.</param>
    /// <param name="options">
    /// The options of the object: its headers, its condition, its checksum algorithm, and the size of its parts; <see langword="null"/> for the defaults. Options of how data
    /// is sent have no effect. <see cref="UploadOptions.CustomerKey"/> isn't accepted.
    /// </param>
    /// <param name="lifetime">How long URLs work after they are signed: 1 second to 7 days; <see langword="null"/> for one hour.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The upload, with all of its parts.</returns>
    /// <remarks>
    /// <para>
    /// Without <see cref="UploadOptions.Checksum"/>, all URLs are signed at once, and the content is not verified. With an algorithm, each part is bound to its checksum: whoever
    /// sends the parts computes it, and <see cref="PresignPartAsync"/> signs it. The store then refuses other content. Browsers compute SHA-256
    /// (<c>crypto.subtle.digest</c>).
    /// </para>
    /// <para>
    /// A browser also needs rules of the bucket for requests from other origins (CORS) that allow PUT and the headers of the parts. The URLs have the endpoint of the client:
    /// if browsers reach the store under another name, sign with a client that uses that name.
    /// </para>
    /// </remarks>
    /// <exception cref="TransferException">Thrown when the upload could not be created.</exception>
    /// <example>
    /// <code>
    /// PresignedUpload upload = await client.PresignUploadAsync("bucket", "video.mp4", length: 100L &lt;&lt; 20, new UploadOptions { ContentType = "video/mp4" });
    /// foreach (PresignedPart part in upload.Parts)
    /// {
    ///     Console.WriteLine($"bytes {part.Offset} to {part.Offset + part.Length - 1}: PUT {part.Url}");
    /// }
    /// </code>
    /// </example>
    Task<PresignedUpload> PresignUploadAsync(
        string bucket, string key, long length, UploadOptions? options = null, TimeSpan? lifetime = null, CancellationToken cancellationToken = default);

    /// <summary>Signs the parts that the store doesn't have yet again, for an upload that was interrupted or whose URLs have expired.</summary>
    /// <param name="upload">The upload.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The upload, with the parts that are missing or have another length.</returns>
    /// <exception cref="TransferException">
    /// Thrown when the parts could not be listed, or when the upload doesn't exist anymore (<see cref="TransferError.UploadNotFound"/>).
    /// </exception>
    /// <example>
    /// <code>
    /// PresignedUpload rest = await client.PresignMissingPartsAsync(upload);
    /// Console.WriteLine($"{upload.PartCount - rest.Parts.Count} of {upload.PartCount} parts are there.");
    /// </code>
    /// </example>
    Task<PresignedUpload> PresignMissingPartsAsync(PresignedUpload upload, CancellationToken cancellationToken = default);

    /// <summary>Signs one part, with its checksum if the upload was created with an algorithm. No request is sent to the store.</summary>
    /// <param name="upload">The upload.</param>
    /// <param name="number">The number of the part, from 1.</param>
    /// <param name="checksum">The checksum of the part in base64; <see langword="null"/> if the upload has no algorithm.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The part, with its URL and the headers that must be sent.</returns>
    /// <exception cref="ArgumentException">Thrown when the checksum is missing, or isn't one of the algorithm.</exception>
    /// <exception cref="TransferException">Thrown when there are no credentials.</exception>
    /// <example>
    /// <code>
    /// using System.Security.Cryptography;
    ///
    /// byte[] content = new byte[upload.PartSizeBytes];
    /// PresignedPart part = await client.PresignPartAsync(upload, 3, checksum: Convert.ToBase64String(SHA256.HashData(content)));
    /// </code>
    /// </example>
    Task<PresignedPart> PresignPartAsync(PresignedUpload upload, int number, string? checksum = null, CancellationToken cancellationToken = default);

    /// <summary>Publishes an object whose parts were sent with signed URLs, if all of them are there with their lengths and have the checksum.</summary>
    /// <param name="upload">The upload.</param>
    /// <param name="checksum">
    /// The checksum of the object in base64, from whoever sent it: that of the whole content for CRCs, and a composite checksum (<c>...-N</c>) for hashes;
    /// <see langword="null"/> for any. The upload must have been created with an algorithm.
    /// </param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>
    /// The result. The verdict is verified if the store has the checksum that follows from those of the parts, which whoever sent them has declared.
    /// </returns>
    /// <remarks>
    /// The call can be repeated. If the upload was completed before, the object is returned if <paramref name="checksum"/> shows that it is the same. Otherwise, the call fails
    /// with <see cref="TransferError.UploadNotFound"/>.
    /// </remarks>
    /// <exception cref="ChecksumMismatchException">Thrown when the parts don't have the checksum. The upload was aborted.</exception>
    /// <exception cref="TransferException">
    /// Thrown when nothing was published: parts are missing (<see cref="TransferError.UploadIncomplete"/>), the upload doesn't exist anymore
    /// (<see cref="TransferError.UploadNotFound"/>), or the condition of <see cref="UploadOptions.Overwrite"/> or <see cref="UploadOptions.IfMatch"/> doesn't hold
    /// (<see cref="TransferError.PreconditionFailed"/>). The upload stays open.
    /// </exception>
    /// <example>
    /// <code>
    /// try
    /// {
    ///     UploadResult result = await client.CompleteUploadAsync(upload);
    ///     Console.WriteLine(result.Verdict);
    /// }
    /// catch (TransferException e) when (e.Error == TransferError.UploadIncomplete)
    /// {
    ///     Console.WriteLine(e.Message);
    /// }
    /// </code>
    /// </example>
    Task<UploadResult> CompleteUploadAsync(PresignedUpload upload, string? checksum = null, CancellationToken cancellationToken = default);

    /// <summary>Aborts an upload whose parts were sent with signed URLs. Its URLs don't work anymore.</summary>
    /// <param name="upload">The upload. If it doesn't exist anymore, nothing happens.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests before the abort. An abort that has begun isn't canceled.</param>
    /// <returns>A task that completes when the store has removed the parts.</returns>
    /// <exception cref="TransferException">Thrown when the upload could not be aborted.</exception>
    /// <example>
    /// <code>
    /// await client.AbortUploadAsync(upload);
    /// </code>
    /// </example>
    Task AbortUploadAsync(PresignedUpload upload, CancellationToken cancellationToken = default);

    /// <summary>Signs a URL that anyone can read an object with until it expires. No request is sent to the store, so the object doesn't have to exist.</summary>
    /// <param name="bucket">The name of the bucket.</param>
    /// <param name="key">The key of the object.</param>
    /// <param name="options">The options of the URL; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The URL. Whoever has it can read the object, so treat it as a secret.</returns>
    /// <exception cref="TransferException">Thrown when there are no credentials.</exception>
    /// <example>
    /// <code>
    /// Uri url = await client.PresignDownloadAsync("bucket", "report.pdf", new PresignDownloadOptions { Lifetime = TimeSpan.FromMinutes(5) });
    /// </code>
    /// </example>
    Task<Uri> PresignDownloadAsync(string bucket, string key, PresignDownloadOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Downloads the object of a URL to a file, such as a presigned URL: in parallel, resumed, and verified if the responses have a checksum.</summary>
    /// <param name="source">The URL. It is used as it is, without the credentials of the client. Its query is never shown.</param>
    /// <param name="path">The path of the file.</param>
    /// <param name="options">
    /// The options of the download; <see langword="null"/> for the defaults. <see cref="ObjectAccessOptions.VersionId"/> and <see cref="ObjectAccessOptions.CustomerKey"/> aren't
    /// accepted, because the URL says which object is read.
    /// </param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result of the download.</returns>
    /// <remarks>
    /// The download has connections of its own, and shares the memory and the request slots of the client. If it is interrupted, a download with another URL of the same
    /// object resumes it: the host and the path must be the same, and the ETag. A server that ignores ranges is read with one request.
    /// </remarks>
    /// <exception cref="ChecksumMismatchException">Thrown when the content doesn't match its checksum.</exception>
    /// <exception cref="TransferException">Thrown when the download failed, also because the URL has expired (<see cref="TransferError.AccessDenied"/>).</exception>
    /// <example>
    /// <code>
    /// Uri signed = await client.PresignDownloadAsync("bucket", "big.iso");
    /// await client.DownloadAsync(signed, "big.iso");
    /// </code>
    /// </example>
    Task<DownloadResult> DownloadAsync(
        Uri source, string path, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Downloads the object of a URL to a stream.</summary>
    /// <param name="source">The URL, as in <see cref="DownloadAsync(Uri, string, DownloadOptions?, IProgress{TransferProgress}?, CancellationToken)"/>.</param>
    /// <param name="destination">The stream. It is flushed, and not disposed.</param>
    /// <param name="options">The options of the download; <see langword="null"/> for the defaults.</param>
    /// <param name="progress">Receives progress updates; <see langword="null"/> for none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result of the download.</returns>
    /// <exception cref="ChecksumMismatchException">Thrown when the content doesn't match its checksum.</exception>
    /// <exception cref="TransferException">Thrown when the download failed.</exception>
    /// <example>
    /// <code>
    /// await client.DownloadAsync(new Uri("https://example.org/data.csv"), Console.OpenStandardOutput());
    /// </code>
    /// </example>
    Task<DownloadResult> DownloadAsync(
        Uri source, Stream destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Opens the object of a URL as a stream that is read ahead in parallel.</summary>
    /// <param name="source">The URL, as in <see cref="DownloadAsync(Uri, string, DownloadOptions?, IProgress{TransferProgress}?, CancellationToken)"/>.</param>
    /// <param name="options">The options of the download; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation while the stream is being opened.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="TransferException">Thrown when the object could not be opened.</exception>
    /// <example>
    /// <code>
    /// await using ObjectReadStream stream = await client.OpenReadAsync(url);
    /// using StreamReader reader = new(stream);
    /// while (await reader.ReadLineAsync() is { } line)
    /// {
    ///     Console.WriteLine(line);
    /// }
    /// </code>
    /// </example>
    Task<ObjectReadStream> OpenReadAsync(Uri source, DownloadOptions? options = null, CancellationToken cancellationToken = default);
}
