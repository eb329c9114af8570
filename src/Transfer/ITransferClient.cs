using System.Buffers;
using System.IO.Pipelines;

namespace Transfer;

/// <summary>Moves objects between a store and files, streams, pipes and memory.</summary>
/// <remarks>
/// All members can be called from any number of threads. Every method throws <see cref="ArgumentException"/> or
/// <see cref="ArgumentOutOfRangeException"/> for arguments and options that can't be right, before anything is sent;
/// <see cref="OperationCanceledException"/> when the token is cancelled (<see cref="TransferCanceledException"/> if the transfer could not clean up after itself);
/// <see cref="ObjectChangedException"/> when the object is
/// replaced meanwhile; <see cref="ObjectNotModifiedException"/> and <see cref="PreconditionFailedException"/> when a condition of
/// <see cref="DownloadOptions"/> does not hold; <see cref="ChecksumMismatchException"/> when the content is not what was stored; and
/// <see cref="TransferException"/> for everything else that ends a transfer.
/// </remarks>
public interface ITransferClient
{
    /// <summary>Asks what an object is, by one HEAD: its size, entity tag, time, type, metadata and the checksum that the store holds.</summary>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="key">The object's key.</param>
    /// <param name="options">Options of this question.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>What the store says of the object.</returns>
    /// <exception cref="TransferException">There is no such object (<see cref="TransferException.StatusCode"/> is 404), or the store did not tell.</exception>
    Task<ObjectInfo> GetInfoAsync(string bucket, string key, ObjectInfoOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Opens an object for reading in order while its parts are fetched in parallel.</summary>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="key">The object's key.</param>
    /// <param name="options">Options of this download.</param>
    /// <param name="cancellationToken">Ends the opening; the stream's own calls take their own tokens.</param>
    /// <returns>The stream, which its caller must dispose.</returns>
    /// <exception cref="InvalidOperationException">The streams that are open hold half of the memory budget: close some, or raise it.</exception>
    Task<ObjectReadStream> OpenReadAsync(string bucket, string key, DownloadOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Downloads an object to a file: to a temporary file beside it, which takes the name when all is there and verified.</summary>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="key">The object's key.</param>
    /// <param name="path">The file's path. Folders that are missing are made; a path that is a folder is refused.</param>
    /// <param name="options">Options of this download.</param>
    /// <param name="progress">Told how far the download is.</param>
    /// <param name="cancellationToken">Ends the download; nothing is left at the path.</param>
    /// <returns>What was downloaded.</returns>
    Task<DownloadResult> DownloadAsync(
        string bucket, string key, string path, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Downloads an object to a stream, in order. The stream is flushed and never disposed.</summary>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="key">The object's key.</param>
    /// <param name="destination">The stream that is written to, from where it stands.</param>
    /// <param name="options">Options of this download.</param>
    /// <param name="progress">Told how far the download is.</param>
    /// <param name="cancellationToken">Ends the download; what was written stays written.</param>
    /// <returns>What was downloaded.</returns>
    Task<DownloadResult> DownloadAsync(
        string bucket, string key, Stream destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Downloads an object to a pipe, in order. The pipe is flushed and never completed.</summary>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="key">The object's key.</param>
    /// <param name="destination">The pipe that is written to.</param>
    /// <param name="options">Options of this download.</param>
    /// <param name="progress">Told how far the download is.</param>
    /// <param name="cancellationToken">Ends the download; what was written stays written.</param>
    /// <returns>What was downloaded.</returns>
    Task<DownloadResult> DownloadAsync(
        string bucket, string key, PipeWriter destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Uploads a file, or everything that a named pipe or a device yields until its end.</summary>
    /// <param name="path">The path of the file, named pipe, or device.</param>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="key">The object's key.</param>
    /// <param name="options">Options of this upload.</param>
    /// <param name="progress">Told how far the upload is.</param>
    /// <param name="cancellationToken">Ends the upload; no object is published and no multipart upload stays open.</param>
    /// <returns>What was uploaded.</returns>
    /// <remarks>
    /// A file that another <see cref="FileStream"/> has open with <see cref="FileShare.None"/> is refused: the inner exception of the
    /// <see cref="TransferException"/> is the <see cref="IOException"/> that .NET throws. While a file is uploaded, nobody can open it that way.
    /// </remarks>
    Task<UploadResult> UploadAsync(
        string path, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Uploads a stream from where it stands to its end, in parallel parts also where its length is not known. It is never disposed.</summary>
    /// <remarks>
    /// The length is known of a stream that can seek and of an <see cref="ObjectReadStream"/>. Otherwise memory limits how long the object may be: see
    /// <see cref="UploadOptions.PartSizeBytes"/>.
    /// </remarks>
    /// <param name="source">The stream that is read.</param>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="key">The object's key.</param>
    /// <param name="options">Options of this upload.</param>
    /// <param name="progress">Told how far the upload is.</param>
    /// <param name="cancellationToken">Ends the upload; no object is published and no multipart upload stays open.</param>
    /// <returns>What was uploaded.</returns>
    Task<UploadResult> UploadAsync(
        Stream source, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Uploads what a pipe brings, to its end. The reader is completed only by its owner.</summary>
    /// <param name="source">The pipe that is read.</param>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="key">The object's key.</param>
    /// <param name="options">Options of this upload.</param>
    /// <param name="progress">Told how far the upload is.</param>
    /// <param name="cancellationToken">Ends the upload; no object is published and no multipart upload stays open.</param>
    /// <returns>What was uploaded.</returns>
    Task<UploadResult> UploadAsync(
        PipeReader source, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Uploads bytes in memory, which must stay valid and unchanged until the call is done: they are sent without a copy.</summary>
    /// <param name="source">The bytes.</param>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="key">The object's key.</param>
    /// <param name="options">Options of this upload.</param>
    /// <param name="progress">Told how far the upload is.</param>
    /// <param name="cancellationToken">Ends the upload; no object is published and no multipart upload stays open.</param>
    /// <returns>What was uploaded.</returns>
    Task<UploadResult> UploadAsync(
        ReadOnlySequence<byte> source, string bucket, string key, UploadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Has the store copy an object, in its own or another bucket of the same endpoint: no byte passes through this machine.</summary>
    /// <remarks>
    /// Content type, cache headers and user metadata go along. Every request is pinned to the state of the source that the first one found
    /// (<c>x-amz-copy-source-if-match</c>, Amazon S3 API Reference, "CopyObject" and "UploadPartCopy").
    /// </remarks>
    /// <param name="sourceBucket">The source's bucket.</param>
    /// <param name="sourceKey">The source's key.</param>
    /// <param name="bucket">The target's bucket.</param>
    /// <param name="key">The target's key.</param>
    /// <param name="options">Options of this copy.</param>
    /// <param name="progress">Told how far the copy is.</param>
    /// <param name="cancellationToken">Ends the copy; no object is published and no multipart upload stays open.</param>
    /// <returns>What was copied.</returns>
    /// <exception cref="ObjectChangedException">The source was replaced or deleted meanwhile.</exception>
    Task<CopyResult> CopyAsync(
        string sourceBucket, string sourceKey, string bucket, string key, CopyOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Downloads what is under a prefix to a folder, the part of each key behind the prefix being its path.</summary>
    /// <remarks>
    /// Pages of the listing come while objects are moved, and what they tell makes one request of every object that fits into one. A key that can't be a file below
    /// the folder is a failure of its own and never written elsewhere: one with <c>..</c>, an empty name, a backslash, a drive letter or a control character, one
    /// that goes on behind a slash where another key ends, one that differs from another only in a way that the file system does not see. Links below the folder
    /// are not followed. Each file appears under its name when it is whole and verified; an object that is replaced between its listing and its download is
    /// downloaded as it is then.
    /// </remarks>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="prefix">What keys begin with: a folder's name, with a slash behind it or without; empty for the whole bucket.</param>
    /// <param name="directory">The folder. It is made where it is missing and there is something to download.</param>
    /// <param name="options">What is moved, and how.</param>
    /// <param name="progress">Told how far the whole is.</param>
    /// <param name="cancellationToken">Ends the download; files that are done stay, others leave nothing.</param>
    /// <returns>What was downloaded and, with <see cref="FailurePolicy.Continue"/>, what was not.</returns>
    Task<DirectoryResult> DownloadDirectoryAsync(
        string bucket, string prefix, string directory, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Uploads what is in a folder, to keys that are the prefix and each file's path below the folder.</summary>
    /// <remarks>The tree is walked while objects are moved. What is no file, a pipe or a device, is a failure of its own.</remarks>
    /// <param name="directory">The folder.</param>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="prefix">What keys begin with: a folder's name, with a slash behind it or without; empty for none.</param>
    /// <param name="options">What is moved, and how.</param>
    /// <param name="progress">Told how far the whole is.</param>
    /// <param name="cancellationToken">Ends the upload; objects that are done stay, and no multipart upload stays open.</param>
    /// <returns>What was uploaded and, with <see cref="FailurePolicy.Continue"/>, what was not.</returns>
    Task<DirectoryResult> UploadDirectoryAsync(
        string directory, string bucket, string prefix, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Has the store copy what is under a prefix, in its own or another bucket of the same endpoint, to keys that are the other prefix and the rest of each key.</summary>
    /// <remarks>
    /// Each object is copied as <see cref="CopyAsync"/> does it, as it is when its turn comes. Names need not be any that a file can have, and objects named like
    /// folders are copied as well. Of two prefixes of one bucket, the target must not be below the source; an object whose copy would be there all the same, where the
    /// source is below the target, is a failure of its own, since what is there is what is being copied.
    /// </remarks>
    /// <param name="sourceBucket">The source's bucket.</param>
    /// <param name="sourcePrefix">What keys begin with: a folder's name, with a slash behind it or without; empty for the whole bucket.</param>
    /// <param name="bucket">The target's bucket.</param>
    /// <param name="prefix">What keys are to begin with: a folder's name, with a slash behind it or without; empty for none.</param>
    /// <param name="options">What is copied, and how.</param>
    /// <param name="progress">Told how far the whole is.</param>
    /// <param name="cancellationToken">Ends the copy; objects that are done stay, and no multipart upload stays open.</param>
    /// <returns>What was copied and, with <see cref="FailurePolicy.Continue"/>, what was not.</returns>
    /// <exception cref="ArgumentException">The target is the source, or below it.</exception>
    Task<DirectoryResult> CopyDirectoryAsync(
        string sourceBucket, string sourcePrefix, string bucket, string prefix, DirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>
    /// Compares a file with an object, without moving it where the store tells enough: their sizes; the checksum that the store holds, of all bytes or of the
    /// parts' checksums whatever their lengths; the entity tag, where that is made of MD5s. Where none of these can tell, the object is read.
    /// </summary>
    /// <remarks>
    /// The file is read once, in order; a second time only where parts turn out to be of other lengths than the first one. The tag of an object in parts can
    /// prove that both are the same, never that they differ: there are stores that make it in a way of their own. A difference is a result and no error.
    /// </remarks>
    /// <param name="path">The file's path.</param>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="key">The object's key.</param>
    /// <param name="options">Options of this comparison.</param>
    /// <param name="cancellationToken">Ends the comparison.</param>
    /// <returns>Whether they are the same, and how that is known.</returns>
    /// <exception cref="TransferException">The file or the object is not there or can't be read, or the file was written meanwhile.</exception>
    /// <exception cref="ObjectChangedException">The object was replaced or deleted meanwhile.</exception>
    /// <exception cref="InvalidOperationException">The object has to be read, and the streams that are open hold half of the memory budget.</exception>
    Task<VerifyResult> VerifyAsync(string path, string bucket, string key, VerifyOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Compares what is in a folder with what is under a prefix, each file with the object of its path, as <see cref="VerifyAsync"/> compares one.</summary>
    /// <remarks>
    /// It always goes on and tells every difference; only what makes all of it impossible is an error, such as a listing that fails. Objects and files of different
    /// sizes cost no request, and neither do small objects whose listed entity tag is the file's MD5. An object named <c>folder/</c> is compared with the folder; a folder
    /// without one is no difference. Where a folder can't be read, what is under its name in the store is not compared and not missing. A key that can't be
    /// a file's is missing here.
    /// <para>
    /// Stores list keys in the order of their UTF-8 bytes, and the tree is walked in the same order beside the listing: of either no more is in memory than two pages,
    /// some thousand pairs that wait for their turn, and the folders on the way down, of which large ones are read again for every 250,000 names. A store that lists in another
    /// order ends the comparison with an error, since what is missing could not be told. S3's directory buckets list in no order: there the whole listing is
    /// gathered first and sorted in memory, some 300 bytes an object.
    /// </para>
    /// </remarks>
    /// <param name="directory">The folder.</param>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="prefix">What keys begin with: a folder's name, with a slash behind it or without; empty for the whole bucket.</param>
    /// <param name="options">What is compared, and how.</param>
    /// <param name="progress">Told how far it is: bytes are those of the files that are done.</param>
    /// <param name="cancellationToken">Ends the comparison.</param>
    /// <returns>How many are the same, how many are not, and the first differences.</returns>
    /// <exception cref="TransferException">The folder is not there or can't be read, the listing failed, or it is in another order.</exception>
    Task<VerifyDirectoryResult> VerifyDirectoryAsync(
        string directory, string bucket, string prefix, VerifyDirectoryOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default);

    /// <summary>Aborts multipart uploads that nobody finished: their parts are stored, and paid for.</summary>
    /// <remarks>
    /// One that can't be aborted does not keep the others from it. One that is gone when its turn comes, completed or aborted by somebody else, is in no list of
    /// the result. A part that is still being sent to an upload may stay behind its abort (Amazon S3 API Reference, "AbortMultipartUpload"): call it again later.
    /// </remarks>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="prefix">What their keys begin with; empty for all of the bucket. A key is also the prefix of longer keys.</param>
    /// <param name="olderThan">
    /// How long ago an upload must have been started, by the store's clock, or by the client's <see cref="TransferClientOptions.TimeProvider"/> if the date of the store's
    /// answers is not known, as with a mock. Default: null, all of them, also those that somebody is just sending. Range: zero or more.
    /// </param>
    /// <param name="dryRun">Whether to find them and abort none.</param>
    /// <param name="cancellationToken">Ends it; what was aborted until then stays aborted.</param>
    /// <returns>What was aborted, and what could not be.</returns>
    /// <exception cref="TransferException">The uploads could not be listed; none was aborted.</exception>
    Task<AbortUploadsResult> AbortUploadsAsync(
        string bucket, string prefix, TimeSpan? olderThan = null, bool dryRun = false, CancellationToken cancellationToken = default);

    /// <summary>
    /// Opens a key for writing: what is written goes up in parts in the background while the next part is being written, and becomes the object
    /// when <see cref="ObjectWriteStream.CompleteAsync"/> is called. Nothing is sent before the first part is full.
    /// </summary>
    /// <param name="bucket">The bucket's name.</param>
    /// <param name="key">The object's key.</param>
    /// <param name="options">Options of this upload.</param>
    /// <param name="cancellationToken">Ends the opening; the stream's own calls take their own tokens.</param>
    /// <returns>The stream, which its caller must dispose.</returns>
    /// <exception cref="InvalidOperationException">The streams that are open hold half of the memory budget: close some, or raise it.</exception>
    Task<ObjectWriteStream> OpenWriteAsync(string bucket, string key, UploadOptions? options = null, CancellationToken cancellationToken = default);
}
