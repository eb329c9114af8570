namespace Transfer;

/// <summary>Options of one download. What is null is taken from the client's <see cref="TransferClientOptions"/>.</summary>
public sealed record DownloadOptions
{
    /// <summary>The object's size and entity tag where they are known: all parts start at once, and no HEAD is ever sent.</summary>
    /// <value>Default: null, the first range's answer tells.</value>
    public ObjectHint? Hint { get; init; }

    /// <summary>Bytes asked for in one request, at the most.</summary>
    /// <value>Default: <see cref="TransferClientOptions.DownloadPartSizeBytes"/>. Range: 64 KiB to 5 GiB.</value>
    public long? PartSizeBytes { get; init; }

    /// <summary>Ask for the ranges in which the object was stored: stores read their own parts fastest.</summary>
    /// <value>Default: false, ranges of <see cref="PartSizeBytes"/>.</value>
    /// <remarks>
    /// Costs a HEAD of the first stored part before the first range, also with a <see cref="Hint"/>. Where it shows no parts of one length (an object that came in
    /// one request, in parts of several lengths, or from a store that does not tell), ranges are those of <see cref="PartSizeBytes"/>. A reader that has little
    /// memory gets a stored part in several ranges; none goes over the boundary of two.
    /// </remarks>
    public bool AlignToStoredParts { get; init; }

    /// <summary>Requests of this download under way at once, at the most.</summary>
    /// <value>Default: <see cref="TransferClientOptions.Concurrency"/>. Range: 1 to 1024.</value>
    public int? Concurrency { get; init; }

    /// <summary>The version to read, in a bucket that keeps them.</summary>
    /// <value>Default: null, the newest.</value>
    public string? VersionId { get; init; }

    /// <summary>The bytes to download instead of all.</summary>
    /// <value>Default: null, the whole object.</value>
    /// <remarks>
    /// <see cref="ObjectInfo.Length"/> stays the object's size; the stream's length and <see cref="DownloadResult.BytesTransferred"/> are the range's. Stores keep
    /// checksums of whole objects, so the verdict of a range is unverified, unless it turns out to be the whole object. A range that begins behind the
    /// object's end is a <see cref="TransferException"/> with status 416. <see cref="ObjectRange.Last"/> costs one more request, for one byte, to learn the
    /// object's size; with a <see cref="Hint"/> it does not.
    /// </remarks>
    public ObjectRange? Range { get; init; }

    /// <summary>Download only if the object's entity tag is this one, with or without quotes; otherwise a <see cref="PreconditionFailedException"/>.</summary>
    /// <value>Default: null, whatever is there.</value>
    /// <remarks>
    /// The first request carries the conditions; those after it are pinned to what it found, by If-Match with its entity tag. With a <see cref="Hint"/>, the
    /// other parts start when the first answer has shown that the conditions hold. Where both are given, <see cref="IfMatch"/> outranks
    /// <see cref="IfUnmodifiedSince"/>, and <see cref="IfNoneMatch"/> outranks <see cref="IfModifiedSince"/> (RFC 9110, section 13.2.2).
    /// </remarks>
    public string? IfMatch { get; init; }

    /// <summary>Download only if the object's entity tag is not this one, with or without quotes; otherwise an <see cref="ObjectNotModifiedException"/>.</summary>
    /// <value>Default: null, whatever is there.</value>
    public string? IfNoneMatch { get; init; }

    /// <summary>Download only if the object was modified after this time; otherwise an <see cref="ObjectNotModifiedException"/>.</summary>
    /// <value>Default: null, whenever it was. Unit: whole seconds, as in HTTP; fractions are cut off.</value>
    public DateTimeOffset? IfModifiedSince { get; init; }

    /// <summary>Download only if the object was not modified after this time; otherwise a <see cref="PreconditionFailedException"/>.</summary>
    /// <value>Default: null, whenever it was. Unit: whole seconds, as in HTTP; fractions are cut off.</value>
    public DateTimeOffset? IfUnmodifiedSince { get; init; }

    /// <summary>Agree to pay for the requests, where the bucket's owner leaves that to those who read.</summary>
    /// <value>Default: false; such a bucket then refuses with status 403.</value>
    public bool RequesterPays { get; init; }

    /// <summary>The key that the object was encrypted with, where the store does not keep it (SSE-C).</summary>
    /// <value>Default: null, none. It is refused over plain http to anything but this machine, before anything is sent.</value>
    public CustomerKey? CustomerKey { get; init; }

    /// <summary>Compare the content with what the store holds: a checksum, or else an entity tag that is the content's MD5.</summary>
    /// <value>Default: true. When false, the verdict is unverified and nothing is asked or computed.</value>
    /// <remarks>
    /// Stores are asked for checksums by the header <c>x-amz-checksum-mode</c>. A store that rejects it is sent requests without it from then on, and the header is never
    /// sent where the SDK client's <c>ResponseChecksumValidation</c> is <c>WHEN_REQUIRED</c>; <see cref="ChecksumVerdict.Reason"/> says so where nothing else verified.
    /// Where the first answer brings no checksum, the store is asked for it in one more request beside the parts. A composite checksum, one of the checksums of an
    /// object's parts, takes the parts' lengths: a request for each thousand of them, or, where the store does not list them, one for the first part's. CRCs cost
    /// less than a tenth of what a download takes of the processor. Hashes cost far more (see <see cref="VerifyMd5"/>), and are made in the object's order: a
    /// reader waits for that, a file is read again from the system's cache behind what has arrived.
    /// </remarks>
    public bool Verify { get; init; } = true;

    /// <summary>
    /// Compare the content's MD5 with the entity tag if the store holds no checksum and the tag is an MD5: 32 hexadecimal digits, and the object is not encrypted with a key of
    /// KMS or of the customer. An object of at most 1 MiB that arrives whole in the first response without a checksum is compared that way too, so that it
    /// takes one request.
    /// </summary>
    /// <value>Default: true. Without effect where <see cref="Verify"/> is false.</value>
    /// <remarks>
    /// An MD5 takes about 1.7 seconds of a processor for each GiB, two or three times what the download itself does, and no two processors can share it: one
    /// download is no faster than about 600 MiB/s. False leaves such objects unverified; so it also helps with stores whose tags only look like MD5s.
    /// </remarks>
    public bool VerifyMd5 { get; init; } = true;

    /// <summary>Replace a file that is there already.</summary>
    /// <value>Default: true. When false, a download to an existing path fails before anything is sent.</value>
    public bool Overwrite { get; init; } = true;

    /// <summary>
    /// Go on with what an earlier download of the same object to the same file has left, and leave the parts that have arrived to a later one where this one is
    /// interrupted: by cancellation, by a failure that may pass, or with its process.
    /// </summary>
    /// <value>
    /// Default: true. When false, the state of an earlier download of the same object to the same file is removed, and a download that fails or is canceled leaves nothing
    /// behind. The option has no effect if the destination is not a file.
    /// </value>
    /// <remarks>
    /// What is kept has two hidden names beside the target, <c>.NAME.ID.transfer</c> and <c>.NAME.ID.transfer-journal</c>, that only their owner may read: the
    /// unfinished file and a journal of its parts. Objects of one part have none, nor those whose store tells no strong entity tag. The next run asks the store
    /// whether the object is still the same, reads the finished parts back and compares them with the journal, and fetches what is missing; an object that has
    /// changed is fetched from its beginning. Where another download is writing the same file, this one goes without.
    /// </remarks>
    public bool Resume { get; init; } = true;

    /// <summary>End a download to a file only when the file is on the disk: its content before it takes its name, and its name, with those of folders made for it.</summary>
    /// <value>Default: false; the operating system then writes when it likes, and a crash of the machine may lose a finished file.</value>
    /// <remarks>Costs what the disk needs to write the file. Where the name can't be flushed, the download fails although the file is there.</remarks>
    public bool FlushToDisk { get; init; }

    /// <summary>Mode bits of a downloaded file, given as they are: the process's umask does not take any away.</summary>
    /// <value>
    /// Default: null, as if the file had been written the plain way: the bits of the file that is replaced, or else those of a new file, umask included.
    /// Range: the twelve bits of a mode. Without effect on Windows.
    /// </value>
    /// <remarks>Until it is finished, the file has another name and only its owner may read it.</remarks>
    public UnixFileMode? FileMode { get; init; }

    /// <summary>
    /// Give a downloaded file its time of last modification: what its metadata keeps under <c>mtime</c> (see <see cref="UploadOptions.KeepLastModified"/>), or
    /// else the object's own.
    /// </summary>
    /// <value>Default: false, the file is as new as its download. Without effect where the store does not tell the time.</value>
    public bool KeepLastModified { get; init; }

    /// <summary>Gets the limits of the bytes per second of this download. The client's limits apply as well.</summary>
    /// <value>The default is <see langword="null"/>, only those of the client. An instance that several transfers have limits them together.</value>
    public RateLimit? RateLimit { get; init; }

    /// <summary>Events of this transfer, beside those of the client.</summary>
    public TransferEvents? Events { get; init; }

    /// <summary>Send requests for the lengths of the parts that a composite checksum is made of.</summary>
    internal bool AskForParts { get; init; } = true;

    /// <summary>Leave the first answer in <see cref="ObjectInfo.Answer"/>.</summary>
    internal bool KeepAnswer { get; init; }

    /// <summary>Gets the handle that follows and controls the transfer: pauses, priority, and limits.</summary>
    /// <value>The default is <see langword="null"/>, none. Each handle is for one transfer.</value>
    public TransferHandle? Handle { get; init; }
}
