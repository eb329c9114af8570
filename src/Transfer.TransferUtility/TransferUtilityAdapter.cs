using Amazon.S3;
using Amazon.S3.Transfer;

namespace Transfer.S3.TransferUtility;

/// <summary>
/// Implements the AWS SDK's <see cref="ITransferUtility"/> with a <see cref="TransferClient"/>. Code that uses
/// <see cref="Amazon.S3.Transfer.TransferUtility"/> can create this class instead, and needs no other changes.
/// </summary>
/// <remarks>
/// <para>
/// Like the SDK, the adapter validates arguments, chooses keys and content types, divides objects into parts, raises events, closes streams, and fills responses. It
/// differs from the SDK in these points by design:
/// </para>
/// <list type="table">
/// <item>
/// <term>Checksums of uploads</term>
/// <description>
/// Every upload is sent with a checksum: CRC-64/NVME if the request specifies no other (CRC-32 in the SDK). CRCs cover the whole object, also for multipart uploads,
/// and don't need a native library.
/// </description>
/// </item>
/// <item>
/// <term>Verification of downloads</term>
/// <description>
/// Every download is compared with the checksum that the store holds, or with an ETag that is an MD5, but not with a composite checksum of several parts, which
/// would take more requests. If the content differs, an <see cref="Amazon.Runtime.AmazonClientException"/> is thrown. <c>DisableDefaultChecksumValidation</c> turns
/// off the checksums of uploads. <c>ChecksumMode</c> and the settings of the <see cref="IAmazonS3"/> turn off neither.
/// </description>
/// </item>
/// <item>
/// <term>Files</term>
/// <description>
/// A downloaded file gets its name only when it is complete and verified. Until then, and after a failure, an existing file isn't changed. A path that is empty or a
/// directory throws an <see cref="ArgumentException"/> before anything is sent.
/// </description>
/// </item>
/// <item>
/// <term>Downloads</term>
/// <description>
/// All downloads use concurrent range requests, also methods without a response and <c>MultipartDownloadType.PART</c>. As in the SDK, <c>PartSize</c> applies to
/// <c>RANGE</c>. A response is made of the response to the first range, as if it were that of the whole object, with the checksum that was verified. The response of
/// a stream contains a checksum only if the response to the first range contained one. <c>PartsCount</c> isn't set. Memory is limited by the budget of the client,
/// and not by <c>MaxInMemoryParts</c> and <c>ChunkBufferSize</c>. If open streams already reserve half of the budget, opening another one throws an
/// <see cref="InvalidOperationException"/>.
/// </description>
/// </item>
/// <item>
/// <term>Directories</term>
/// <description>
/// The transfer starts while files or objects are still being listed, unless a listener receives their number. So a listing can fail after files were transferred.
/// Files are transferred concurrently. They are transferred one by one, as without <c>DownloadFilesConcurrently</c> or <c>UploadFilesConcurrently</c>, only if a
/// listener receives the progress or the request of each file. So after a failure, other files than those before it can have been transferred. Calls of the
/// listeners for files do not overlap. A small file takes one request.
/// </description>
/// </item>
/// <item>
/// <term>Paths of downloaded files</term>
/// <description>
/// As in the SDK, keys that resolve to a path outside of the local directory are rejected. In addition, links to directories are not followed, links with the name
/// of a file are replaced, and on Windows, names of devices and invalid names are rejected. If the file system isn't case-sensitive, the second of two keys that
/// differ only by case isn't downloaded, also with <c>ContinueOnFailure</c>.
/// </description>
/// </item>
/// <item>
/// <term>Parts of uploads</term>
/// <description>If an object doesn't fit into 10,000 parts of 8 MiB or <c>PartSize</c>, the parts have the smallest number of whole MiB that is sufficient.</description>
/// </item>
/// <item>
/// <term>Uploads of streams</term>
/// <description>
/// The position of a stream is reset as the SDK does: not if what follows it is uploaded in parts. A stream that can't seek is uploaded in concurrent parts of the usual size, or with a single
/// request if it fits into the first part. A stream is closed if <c>AutoCloseStream</c> is set, even if it can't seek or if the upload could not start, and never
/// otherwise.
/// </description>
/// </item>
/// <item>
/// <term>Events</term>
/// <description>
/// Progress is reported several times per second and for each part, in order, on a thread of the thread pool. As in the SDK, only one listener of the process runs
/// at a time. The last progress event precedes the completed or failed event and the return of the call. The call waits for it for at most one second, so a listener
/// that takes longer, or that waits for the call itself, receives it later. If more than 1,000 events wait for a slow listener, the oldest are dropped. A part that
/// is sent twice is counted once. Progress and completed events contain the total number of bytes, even if the length was not known in advance. The version in the
/// progress of a download is the requested version. A canceled download always raises its failed event.
/// </description>
/// </item>
/// <item>
/// <term>Exceptions</term>
/// <description>
/// Errors of the store are reported by the exceptions of the SDK. Their inner exception is a <see cref="TransferException"/> with more details. <c>AmazonId2</c> and
/// <c>ResponseBody</c> aren't set. Cancellation always throws a <see cref="TaskCanceledException"/>. A request that is <see langword="null"/> throws an
/// <see cref="ArgumentNullException"/>.
/// </description>
/// </item>
/// <item>
/// <term>Requests</term>
/// <description>
/// If the <see cref="IAmazonS3"/> is exactly an <see cref="AmazonS3Client"/>, requests are sent over connections of the library. They use the credentials, endpoint,
/// and proxy of the SDK client, but not its events, handlers, and telemetry, and are attempted up to <see cref="TransferClientOptions.MaxAttempts"/> times. Any
/// other <see cref="IAmazonS3"/>, such as a mock or a decorator, is called with the same operations as by the SDK's utility. Objects are listed with
/// <c>ListObjects</c>, or with <c>ListObjectsV2</c> if that isn't implemented. Over plain HTTP to another machine, <c>DisablePayloadSigning</c> is not an error: the
/// content is signed. Customer-provided keys are rejected there.
/// </description>
/// </item>
/// <item>
/// <term>Operations of the SDK</term>
/// <description>
/// The SDK's own utility is used for operations that only it supports: ARNs as bucket names; part sizes larger than the memory budget, or outside of 5 MiB to 5 GiB
/// for uploads and 64 KiB to 5 GiB for downloads; checksums that the caller provides, and algorithms that this library doesn't know;
/// <c>MpuObjectSize</c>; <c>DisablePayloadSigning</c> if it is <see langword="false"/>; object lock; <c>Grants</c>; <c>ExpectedBucketOwner</c>;
/// <c>WebsiteRedirectLocation</c>; <c>Expires</c> as text; headers other than the known ones; headers and metadata with characters other than printable ASCII;
/// metadata of more than 2 KiB; tags that exceed the limits of S3; <c>ResponseHeaderOverrides</c>; and combinations that the SDK rejects. The same applies to these
/// options in the request for a directory, and in the request for a file that a listener has changed. Incomplete uploads are always aborted by the SDK.
/// </description>
/// </item>
/// </list>
/// <para>
/// All members are thread-safe. Synchronous methods block the calling thread. The events are raised through members that are internal to the SDK. With an SDK
/// version without them, a transfer throws a <see cref="NotSupportedException"/> that names the version, before anything is sent.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// using Amazon.S3.Transfer;
/// using Transfer.S3.TransferUtility;
///
/// using ITransferUtility transfers = new TransferUtilityAdapter(s3); // was: new TransferUtility(s3)
/// await transfers.UploadAsync("report.csv", "bucket", "report.csv");
/// </code>
/// </example>
public sealed partial class TransferUtilityAdapter : ITransferUtility
{
    private readonly ITransferClient _client;
    private readonly IAmazonS3? _s3;
    private readonly Amazon.S3.Transfer.TransferUtility? _sdk;
    private readonly long _partsThreshold;
    private readonly bool _checksCase = true;

    /// <summary>
    /// Initializes a new instance of the <see cref="TransferUtilityAdapter"/> class for an SDK client. Instances for the same <paramref name="s3"/> and the same
    /// settings share connections and one memory budget.
    /// </summary>
    /// <param name="s3">The SDK client. The adapter doesn't dispose it.</param>
    /// <param name="config">The settings of the SDK's utility, which are copied; <see langword="null"/> for the defaults.</param>
    public TransferUtilityAdapter(IAmazonS3 s3, TransferUtilityConfig? config = null)
    {
        ArgumentNullException.ThrowIfNull(s3);
        TransferUtilityConfig settings = config ?? new TransferUtilityConfig();
        _s3 = s3;
        _client = SharedClients.Get(s3, config);
        _sdk = new Amazon.S3.Transfer.TransferUtility(s3, settings);
        _partsThreshold = settings.MinSizeBeforePartUpload;
        _checksCase = !settings.SkipDirectoryCaseSensitivityCheck;
    }

    /// <summary>
    /// Initializes a new instance of the <see cref="TransferUtilityAdapter"/> class for a client, whose options then determine part sizes, concurrency, and memory.
    /// </summary>
    /// <param name="client">
    /// The client. The adapter doesn't dispose it. If it isn't a <see cref="TransferClient"/>, it has no <see cref="IAmazonS3"/>, so directories and operations that
    /// only the SDK supports throw a <see cref="NotSupportedException"/>, and a response has only the properties of its result.
    /// </param>
    public TransferUtilityAdapter(ITransferClient client)
    {
        ArgumentNullException.ThrowIfNull(client);
        _client = client;
        TransferUtilityConfig settings = new();
        if (client is TransferClient own)
        {
            settings.MinSizeBeforePartUpload = own.Context.Settings.MultipartThresholdBytes;
            settings.ConcurrentServiceRequests = own.Context.Settings.MaxConcurrency;
            _s3 = own.S3;
            _sdk = new Amazon.S3.Transfer.TransferUtility(_s3, settings);
        }

        _partsThreshold = settings.MinSizeBeforePartUpload;
    }

    /// <summary>Gets the SDK client that requests are sent with.</summary>
    /// <exception cref="NotSupportedException">Thrown when the adapter was created for an <see cref="ITransferClient"/> that has no SDK client.</exception>
    public IAmazonS3 S3Client => _s3 ?? throw NoSdk($"{nameof(S3Client)}");

    internal ITransferClient Client => _client;

    /// <summary>Gets the memory that a part must fit into.</summary>
    private long MemoryBytes => (_client as TransferClient)?.Context.Settings.MemoryBytes ?? long.MaxValue;

    /// <summary>Does nothing, like the SDK's utility if it doesn't own its client: transfers continue, and open streams stay open.</summary>
    public void Dispose() => _sdk?.Dispose(); // the SDK's utility doesn't dispose a client that it was given

    /// <summary>Gets the SDK's own utility for operations that only it supports.</summary>
    private Amazon.S3.Transfer.TransferUtility Sdk(string what) => _sdk ?? throw NoSdk(what);

    private NotSupportedException NoSdk(string what)
        => new($"{what} needs an {nameof(IAmazonS3)}, but the adapter was created for a {_client.GetType().Name}, which has none.");
}
