using Amazon.S3;
using Amazon.S3.Transfer;
using Transfer.Compatibility;

namespace Transfer;

/// <summary>
/// The AWS SDK's <see cref="ITransferUtility"/> over a <see cref="TransferClient"/>: code that uses <see cref="TransferUtility"/> makes this
/// instead, and stays as it is.
/// </summary>
/// <remarks>
/// <para>Arguments are checked, keys and content types chosen, objects cut into parts, events raised, streams closed and answers filled as the SDK
/// does it. It differs on purpose in this:</para>
/// <list type="table">
/// <item>
/// <term>Content</term>
/// <description>Every upload is sent with a checksum, CRC-64/NVME where the request names no other (the SDK's is CRC-32). CRCs are of all the object also
/// where it goes up in parts, and none needs a native library. Every download is compared with what the store holds, an MD5 as entity tag
/// included, but not with a composite checksum of several parts, which would take more requests; a difference is an <see
/// cref="Amazon.Runtime.AmazonClientException"/>. <c>DisableDefaultChecksumValidation</c> turns the first off; <c>ChecksumMode</c> and the settings of
/// the <see cref="IAmazonS3"/> turn neither off.</description>
/// </item>
/// <item>
/// <term>Files</term>
/// <description>A downloaded file takes its name when all of it is there and verified; until then, and after a failure, what was there stays. A path
/// that is a folder, or none, is an <see cref="ArgumentException"/> before anything is sent.</description>
/// </item>
/// <item>
/// <term>Ways to download</term>
/// <description>Every download is by ranges, side by side, also without a response and with <c>MultipartDownloadType.PART</c>; <c>PartSize</c> counts
/// with <c>RANGE</c>, as in the SDK. A response is that of the first range as one of the whole object, with the checksum that was verified; of a stream,
/// with one that the first range brought. <c>PartsCount</c> is not told. Memory is the client's budget, not <c>MaxInMemoryParts</c> and
/// <c>ChunkBufferSize</c>; opening more streams than half of it holds is an <see cref="InvalidOperationException"/>.</description>
/// </item>
/// <item>
/// <term>Directories</term>
/// <description>Files begin to move while others are still being found, unless a listener is told how many there are: a listing or a walk that fails midway
/// can come after files that are moved. They move side by side; one by one, as without <c>DownloadFilesConcurrently</c> or <c>UploadFilesConcurrently</c>, only
/// where a listener is told of progress or of each file's request. So what is there after a failure is more than the files before it. No listener for files is
/// called twice at once. A small file costs one request.</description>
/// </item>
/// <item>
/// <term>Below the directory</term>
/// <description>As the SDK does, a key that leads out of the local directory is refused; beyond that, a link to a folder in it is not followed, a link with
/// a file's name is replaced, and on Windows names are refused that are devices there or can't be names. Where the file system does not tell upper and lower case
/// apart, the second of two keys that differ in nothing else is not downloaded with <c>ContinueOnFailure</c> either.</description>
/// </item>
/// <item>
/// <term>Parts to upload</term>
/// <description>Where 10,000 parts of 8 MiB, or of <c>PartSize</c>, do not hold the object, they are of as many whole MiB as it takes.</description>
/// </item>
/// <item>
/// <term>Streams to upload</term>
/// <description>A stream that is set back to its beginning goes up whole, wherever it stood. One that can't seek goes up in parts side by side, of
/// the usual size, in one request where it ends within the first part. A stream is closed if <c>AutoCloseStream</c> says so, also where it can't seek and
/// where the upload could not even begin, and never otherwise.</description>
/// </item>
/// <item>
/// <term>Events</term>
/// <description>Progress is raised a few times a second and for each part, in order, on a thread of the thread pool; as with the SDK, one listener of the process runs
/// at a time. The last event of progress comes before the completed or failed event and before the call returns. A call waits for it no longer than a second: a
/// listener that takes longer, or waits for the call itself, hears it later. Of more than 1,000 events that wait for a slow listener the oldest are left out. A part
/// that is sent twice is not counted twice. Progress and completed events tell all bytes also where the length was not known before. The version in a download's progress is the one that was asked for. A download that
/// is cancelled has its failed event, whatever method began it.</description>
/// </item>
/// <item>
/// <term>Exceptions</term>
/// <description>The store's are those of the SDK, with a <see cref="TransferException"/> inside that says more; <c>AmazonId2</c> and
/// <c>ResponseBody</c> are not filled. Cancellation is always a <see cref="TaskCanceledException"/>. A request that is null is an <see
/// cref="ArgumentNullException"/>.</description>
/// </item>
/// <item>
/// <term>Requests</term>
/// <description>They are sent over connections of our own where the <see cref="IAmazonS3"/> is an <see cref="AmazonS3Client"/>: with its credentials,
/// endpoint and proxy, without its events, handlers and telemetry, and tried as often as <see cref="TransferClientOptions.MaxAttempts"/> says. Any
/// other <see cref="IAmazonS3"/>, such as a mock or a decorator, is called instead, with the operations that the SDK's utility calls: objects are listed with
/// <c>ListObjects</c>, or with <c>ListObjectsV2</c> if that is not implemented. Over plain http to another machine <c>DisablePayloadSigning</c> is not an error,
/// and the body is signed; a key of the customer's own is refused there.</description>
/// </item>
/// <item>
/// <term>Left to the SDK</term>
/// <description>What only its own utility can do, it does: buckets named by ARN; part sizes that are not from 5 MiB to 5 GiB up and 64 KiB to 5 GiB
/// down, or larger than the memory budget; checksums that the caller brings, and algorithms other than CRC-32, CRC-32C, CRC-64/NVME and SHA-256;
/// <c>MpuObjectSize</c>, <c>DisablePayloadSigning</c> when false, object lock, <c>Grants</c>, <c>ExpectedBucketOwner</c>,
/// <c>WebsiteRedirectLocation</c>, <c>Expires</c> as text, headers beside the known ones, headers and metadata beyond printable ASCII, metadata beyond
/// 2 KiB, tags beyond S3's limits, <c>ResponseHeaderOverrides</c>, and whatever it would refuse as contradictory; the same of a directory's request, and of
/// one file's that a listener has changed; and unfinished uploads to abort.</description>
/// </item>
/// </list>
/// <para>All members can be called from any number of threads. The synchronous ones hold the calling thread. The events are raised through members
/// that the SDK keeps to itself: a version without them is a <see cref="MissingMethodException"/> at the first transfer.</para>
/// </remarks>
public sealed partial class TransferUtilityAdapter : ITransferUtility
{
    private readonly ITransferClient _client;
    private readonly IAmazonS3? _s3;
    private readonly TransferUtility? _sdk;
    private readonly long _partsThreshold;
    private readonly bool _checksCase = true;

    /// <summary>Makes an adapter; those over the same <paramref name="s3"/> with the same settings share connections and one memory budget.</summary>
    /// <param name="s3">The client that requests are sent with. It stays its owner's to dispose.</param>
    /// <param name="config">The SDK's settings, read now.</param>
    public TransferUtilityAdapter(IAmazonS3 s3, TransferUtilityConfig? config = null)
    {
        ArgumentNullException.ThrowIfNull(s3);
        TransferUtilityConfig settings = config ?? new TransferUtilityConfig();
        _s3 = s3;
        _client = SharedClients.Get(s3, config);
        _sdk = new TransferUtility(s3, settings);
        _partsThreshold = settings.MinSizeBeforePartUpload;
        _checksCase = !settings.SkipDirectoryCaseSensitivityCheck;
    }

    /// <summary>Makes an adapter over a client of the caller's, whose own options then decide on part sizes, concurrency and memory.</summary>
    /// <param name="client">
    /// The client, which stays its owner's to dispose. Where it is not a <see cref="TransferClient"/>, there is no <see cref="IAmazonS3"/> behind it, and what
    /// only the SDK can do is a <see cref="NotSupportedException"/>, and so are directories.
    /// </param>
    public TransferUtilityAdapter(ITransferClient client)
    {
        ArgumentNullException.ThrowIfNull(client);
        _client = client;
        TransferUtilityConfig settings = new();
        if (client is TransferClient own)
        {
            settings.MinSizeBeforePartUpload = own.Context.Settings.MultipartThresholdBytes;
            settings.ConcurrentServiceRequests = own.Context.Settings.Concurrency;
            _s3 = own.S3;
            _sdk = new TransferUtility(_s3, settings);
        }

        _partsThreshold = settings.MinSizeBeforePartUpload;
    }

    /// <summary>The client that requests are sent with.</summary>
    /// <exception cref="NotSupportedException">The adapter was made over an <see cref="ITransferClient"/> that has none.</exception>
    public IAmazonS3 S3Client => _s3 ?? throw NoSdk($"{nameof(S3Client)}");

    internal ITransferClient Client => _client;

    /// <summary>What a part must fit into.</summary>
    private long MemoryBytes => (_client as TransferClient)?.Context.Settings.MemoryBytes ?? long.MaxValue;

    /// <summary>Does nothing, like the SDK's own where it was given its client: transfers go on, and streams that are open stay open.</summary>
    public void Dispose() => _sdk?.Dispose(); // which leaves alone what it was given

    /// <summary>The SDK's own utility, for what only it can do.</summary>
    private TransferUtility Sdk(string what) => _sdk ?? throw NoSdk(what);

    private NotSupportedException NoSdk(string what)
        => new($"{what} needs an {nameof(IAmazonS3)}, and the adapter was made over a {_client.GetType().Name}, which has none.");
}
