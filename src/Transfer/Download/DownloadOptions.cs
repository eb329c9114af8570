using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>The options of a download.</summary>
/// <remarks>
/// If two conditions are set, <see cref="ObjectReadOptions.IfMatch"/> takes precedence over <see cref="IfUnmodifiedSince"/>, and <see cref="IfNoneMatch"/> over
/// <see cref="IfModifiedSince"/> (RFC 9110, section 13.2.2).
/// </remarks>
/// <example>
/// <code>
/// DownloadOptions options = new()
/// {
///     Range = ObjectRange.Last(1 &lt;&lt; 20),
///     FlushToDisk = true,
/// };
/// await client.DownloadAsync("bucket", "server.log", "end-of-server.log", options);
/// </code>
/// </example>
public sealed record DownloadOptions : ObjectReadOptions
{
    /// <summary>Gets the maximum number of bytes to request at once.</summary>
    /// <value>The default is <see langword="null"/>: <see cref="TransferClientOptions.DownloadPartSizeBytes"/>. Range: 64 KiB to 5 GiB.</value>
    public long? PartSizeBytes { get; init; }

    /// <summary>
    /// Gets a value that indicates whether requests are aligned to the parts in which the object was uploaded. Stores read their own parts fastest.
    /// </summary>
    /// <value>
    /// <see langword="true"/> to align requests to the stored parts; otherwise, <see langword="false"/>. The default is <see langword="false"/>: requests have
    /// <see cref="PartSizeBytes"/>.
    /// </value>
    /// <remarks>
    /// The option takes one HEAD request before the first download request, even with a <see cref="ObjectReadOptions.Hint"/>. If the object has no parts of equal length, for example
    /// because it was uploaded with a single request, <see cref="PartSizeBytes"/> is used. The same applies if the store doesn't report the parts. If memory is
    /// short, a stored part is downloaded with several requests, but no request crosses the boundary between two parts.
    /// </remarks>
    public bool AlignToStoredParts { get; init; }

    /// <summary>Gets the range of bytes to download.</summary>
    /// <value>The default is <see langword="null"/>: the whole object.</value>
    /// <remarks>
    /// <see cref="ObjectInfo.Length"/> is still the size of the whole object. The length of the stream and <see cref="TransferStatistics.BytesTransferred"/> are those
    /// of the range. Stores keep checksums of whole objects only, so a range is reported as unverified unless it covers the whole object. A range that begins after
    /// the end of the object throws a <see cref="TransferException"/> with status 416. <see cref="ObjectRange.Last"/> takes one more request to determine the size
    /// of the object, unless there is a <see cref="ObjectReadOptions.Hint"/>.
    /// </remarks>
    public ObjectRange? Range { get; init; }

    /// <summary>
    /// Gets the ETag that the object must not have, with or without quotes. If it has this one, a <see cref="TransferException"/> with <see cref="TransferError.NotModified"/> is thrown.
    /// </summary>
    /// <value>The default is <see langword="null"/>, no condition.</value>
    public string? IfNoneMatch { get; init; }

    /// <summary>Gets the time after which the object must have been modified. Otherwise, a <see cref="TransferException"/> with <see cref="TransferError.NotModified"/> is thrown.</summary>
    /// <value>The default is <see langword="null"/>, no condition. Fractions of a second are ignored, as in HTTP.</value>
    public DateTimeOffset? IfModifiedSince { get; init; }

    /// <summary>Gets the time after which the object must not have been modified. Otherwise, a <see cref="TransferException"/> with <see cref="TransferError.PreconditionFailed"/> is thrown.</summary>
    /// <value>The default is <see langword="null"/>, no condition. Fractions of a second are ignored, as in HTTP.</value>
    public DateTimeOffset? IfUnmodifiedSince { get; init; }

    /// <summary>
    /// Gets a value that indicates whether the content is compared with the checksum that the store holds, or with the ETag if that is the MD5 of the content.
    /// </summary>
    /// <value>
    /// <see langword="true"/> to verify the content; otherwise, <see langword="false"/>. The default is <see langword="true"/>. If it is <see langword="false"/>, no
    /// checksum is requested or computed.
    /// </value>
    /// <remarks>
    /// <para>
    /// Checksums are requested with the header <c>x-amz-checksum-mode</c>. If a store rejects the header, later requests are sent without it. The header is never
    /// sent if <c>ResponseChecksumValidation</c> of the SDK client is <c>WHEN_REQUIRED</c>. <see cref="ChecksumVerdict.Reason"/> contains this if the content could
    /// not be verified otherwise.
    /// </para>
    /// <para>
    /// If the first response contains no checksum, one more request is sent for it while the parts are downloaded. A composite checksum is made of the checksums of
    /// the object's parts, so the lengths of the parts are needed: one request for each thousand parts or, if the store doesn't list parts, one request for the
    /// first part.
    /// </para>
    /// <para>
    /// CRCs take less than a tenth of the processor time of a download. Hashes take much more (see <see cref="VerifyMd5"/>) and must be computed in the order of the
    /// object. A reader waits for that. A file is read again, usually from the file cache of the operating system.
    /// </para>
    /// </remarks>
    public bool Verify { get; init; } = true;

    /// <summary>Gets a value that indicates whether the MD5 of the content is compared with the ETag if the store holds no checksum.</summary>
    /// <value>
    /// <see langword="true"/> to compare the MD5; otherwise, <see langword="false"/>. The default is <see langword="true"/>. The option has no effect if
    /// <see cref="Verify"/> is <see langword="false"/>.
    /// </value>
    /// <remarks>
    /// <para>
    /// The ETag is compared if it has the form of an MD5 (32 hexadecimal digits) and the object isn't encrypted with a KMS key or a customer-provided key. An object
    /// of at most 1 MiB is also verified this way if the first response contains all of it and no checksum, so that it takes one request only.
    /// </para>
    /// <para>
    /// An MD5 takes about 1.7 seconds of processor time for each GiB, two to three times as much as the download itself, and can't be computed in parallel. It
    /// limits one download to about 600 MiB/s. If the option is <see langword="false"/>, objects without a checksum are reported as unverified. This also helps with
    /// stores whose ETags only look like MD5s.
    /// </para>
    /// </remarks>
    public bool VerifyMd5 { get; init; } = true;

    /// <summary>Gets a value that indicates whether an existing file is replaced.</summary>
    /// <value>
    /// <see langword="true"/> to replace an existing file; otherwise, <see langword="false"/>. The default is <see langword="true"/>. If it is
    /// <see langword="false"/> and the file exists, the download fails before anything is sent.
    /// </value>
    public bool Overwrite { get; init; } = true;

    /// <summary>
    /// Gets a value that indicates whether an interrupted download of the same object to the same file is resumed, and whether this download keeps its state for a
    /// later one if it is interrupted.
    /// </summary>
    /// <value>
    /// <see langword="true"/> to resume and to keep state; otherwise, <see langword="false"/>. The default is <see langword="true"/>. If it is
    /// <see langword="false"/>, the state of an earlier download of the same object to the same file is removed, and a download that fails or is canceled leaves
    /// nothing behind. The option has no effect if the destination is not a file.
    /// </value>
    /// <remarks>
    /// <para>
    /// A download is interrupted by cancellation, by a failure that may be temporary, or by the end of the process. Its state is kept in two hidden files in the
    /// directory of the target: <c>.NAME.ID.transfer</c> is the incomplete file, and <c>.NAME.ID.transfer-journal</c> lists its parts. Only their owner can read
    /// them. Objects that are downloaded with one request have no such files, and neither do objects without a strong ETag.
    /// </para>
    /// <para>
    /// The next download checks whether the object is still the same, reads the completed parts of the file back, compares them with the journal, and downloads what
    /// is missing. If the object has changed, it is downloaded from the beginning. If another download is writing the same file, this download doesn't use the
    /// state.
    /// </para>
    /// </remarks>
    public bool Resume { get; init; } = true;

    /// <summary>Gets a value that indicates whether only the parts are downloaded in which the object differs from the file that it replaces.</summary>
    /// <value>
    /// <see langword="true"/> to take equal parts from the existing file; <see langword="false"/> to download the whole object. The default is <see langword="false"/>. The
    /// option has an effect only if the destination is a file that exists and has 5 MiB or more, and if no <see cref="Range"/> is set.
    /// </value>
    /// <remarks>
    /// <para>
    /// The store lists the parts of the object with their checksums, which takes two requests, and one more for each 1,000 parts. Parts that the existing file has at the
    /// same place are copied to the new file, and the others are downloaded. The new file is verified as a whole, and appears as a whole. The bytes that were not downloaded
    /// count as <see cref="TransferStatistics.BytesResumed"/>.
    /// </para>
    /// <para>
    /// The whole object is downloaded, and the reason is logged as information, if it was uploaded with one request, if the store doesn't return the checksums of its
    /// parts, or if there is a <see cref="ObjectAccessOptions.CustomerKey"/>.
    /// </para>
    /// </remarks>
    public bool ReuseParts { get; init; }

    /// <summary>Gets a value that indicates whether a download to a file completes only after the content and the name of the file are flushed to disk.</summary>
    /// <value>
    /// <see langword="true"/> to flush the file; otherwise, <see langword="false"/>. The default is <see langword="false"/>: the operating system decides when to
    /// write, and a completed file can be lost if the machine crashes.
    /// </value>
    /// <remarks>
    /// The content is flushed before the file gets its name. Then the name is flushed, together with the names of directories that were created for it. The download
    /// takes longer by the time that the disk needs. If the name can't be flushed, the download fails although the file exists.
    /// </remarks>
    public bool FlushToDisk { get; init; }

    /// <summary>Gets the permissions of the downloaded file. The umask of the process isn't applied.</summary>
    /// <value>
    /// The default is <see langword="null"/>: the permissions of the file that is replaced or, for a new file, those of any new file, with the umask applied. Range:
    /// the twelve bits of a mode. The option has no effect on Windows.
    /// </value>
    /// <remarks>Until the download is complete, the file has another name, and only its owner can read it.</remarks>
    public UnixFileMode? FileMode { get; init; }

    /// <summary>Gets a value that indicates whether the downloaded file gets the last-modified time of its source.</summary>
    /// <value>
    /// <see langword="true"/> to set the time; otherwise, <see langword="false"/>. The default is <see langword="false"/>: the file has the time of its download.
    /// The option has no effect if the store doesn't report the time.
    /// </value>
    /// <remarks>
    /// The time is taken from <c>mtime</c> in the metadata (see <see cref="UploadOptions.KeepLastModified"/>), or else it is the last-modified time of the object.
    /// </remarks>
    public bool KeepLastModified { get; init; }

    /// <summary>Gets a value that indicates whether the downloaded file gets the permissions of its source.</summary>
    /// <value>
    /// <see langword="true"/> to set the permissions; otherwise, <see langword="false"/>. The default is <see langword="false"/>. The option has no effect on Windows, and
    /// if the metadata has no <c>mode</c> (see <see cref="UploadOptions.KeepPermissions"/>).
    /// </value>
    /// <remarks>Only the rights to read, write, and execute are set. The set-user-ID, set-group-ID, and sticky bits aren't.</remarks>
    public bool KeepPermissions { get; init; }

    /// <summary>Gets a value that indicates whether the downloaded file gets the owner and the group of its source.</summary>
    /// <value>
    /// <see langword="true"/> to set the owner; otherwise, <see langword="false"/>. The default is <see langword="false"/>. The option has an effect only on Linux, and if
    /// the metadata has <c>uid</c> and <c>gid</c> (see <see cref="UploadOptions.KeepOwner"/>).
    /// </value>
    /// <remarks>Usually, only the root user can set owners. If the process isn't allowed to, the file belongs to the user of the process.</remarks>
    public bool KeepOwner { get; init; }

    /// <summary>Gets the handle that monitors and controls the transfer: pauses, priority, and limits.</summary>
    /// <value>The default is <see langword="null"/>, none. A handle can be used for one transfer only.</value>
    [JsonIgnore]
    public TransferHandle? Handle { get; init; }
}
