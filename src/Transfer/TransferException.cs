using System.Net;
using Transfer.S3.Wire;

namespace Transfer.S3;

/// <summary>The exception that is thrown when a transfer fails. A canceled transfer throws an <see cref="OperationCanceledException"/> instead.</summary>
/// <example>
/// <code>
/// try
/// {
///     await client.DownloadAsync("bucket", "report.csv", "report.csv");
/// }
/// catch (TransferException e) when (e.Error == TransferError.ObjectNotFound)
/// {
///     Console.WriteLine("There is no report yet.");
/// }
/// catch (TransferException e)
/// {
///     Console.WriteLine($"{e.Message} Request {e.RequestId}, {e.Attempts} attempts");
/// }
/// </code>
/// </example>
public class TransferException : Exception
{
    private string? _bucket;
    private string? _key;

    /// <summary>Initializes a new instance of the <see cref="TransferException"/> class.</summary>
    public TransferException()
    {
    }

    /// <summary>Initializes a new instance of the <see cref="TransferException"/> class with a message.</summary>
    /// <param name="message">The message that describes the error.</param>
    public TransferException(string message)
        : base(message)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="TransferException"/> class with a message and its cause.</summary>
    /// <param name="message">The message that describes the error.</param>
    /// <param name="innerException">The exception that is the cause of this exception.</param>
    public TransferException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="TransferException"/> class with the details of a failed request.</summary>
    internal TransferException(string message, ObjectAddress address, WireException failure)
        : base(message, failure)
    {
        (Bucket, Key) = address.Bucket.Length == 0 ? (null, null) : (address.Bucket, address.Key); // the list of buckets is about none
        StatusCode = failure.StatusCode;
        ErrorCode = failure.ErrorCode;
        RequestId = failure.RequestId;
        Attempts = failure.Attempts;
        BucketRegion = failure.Elsewhere?.Region;
        Hint = failure.Hint;
    }

    /// <summary>Initializes a new instance of the <see cref="TransferException"/> class for a step that failed because of another error, whose message is part of its own.</summary>
    internal TransferException(string message, ObjectAddress address, TransferException cause)
        : base(message, cause)
    {
        (Bucket, Key) = (address.Bucket, address.Key);
        StatusCode = cause.StatusCode;
        ErrorCode = cause.ErrorCode;
        RequestId = cause.RequestId;
        Attempts = cause.Attempts;
    }

    /// <summary>Gets the message that describes the error.</summary>
    public override string Message => BytesKept > 0 && InnerException is WireException { IsOfCredentials: true }
        ? $"{base.Message}; run it again with new credentials, and it resumes"
        : Hint is not null ? $"{base.Message.TrimEnd('.')}; {Hint}"
        : base.Message;

    /// <summary>Gets the name of the bucket; <see langword="null"/> if the error isn't related to a bucket.</summary>
    public string? Bucket { get => _bucket; init => _bucket = value; }

    /// <summary>Gets the key of the object; <see langword="null"/> if the error isn't related to an object.</summary>
    public string? Key { get => _key; init => _key = value; }

    /// <summary>Gets the store that the error is about, in a copy from one store to another; <see langword="null"/> for all other transfers.</summary>
    public CopySide? CopySide { get; internal set; }

    /// <summary>Gets the number of the part, from 1; <see langword="null"/> if the error isn't related to a part of a multipart upload.</summary>
    public int? PartNumber { get; init; }

    /// <summary>
    /// Gets the offset of the first byte of the range that was being downloaded; <see langword="null"/> if the error isn't related to a range, or if the range is the
    /// last bytes of an object whose size isn't known.
    /// </summary>
    public long? RangeOffset { get; init; }

    /// <summary>Gets the length, in bytes, of the range that was being downloaded; <see langword="null"/> if the error isn't related to a range.</summary>
    public long? RangeLength { get; init; }

    /// <summary>Gets the HTTP status code of the response; <see langword="null"/> if there was no response.</summary>
    public HttpStatusCode? StatusCode { get; init; }

    /// <summary>Gets the error code of the store, for example <c>NoSuchKey</c>; <see langword="null"/> if there was none.</summary>
    public string? ErrorCode { get; init; }

    /// <summary>Gets the ID of the request, which the store's support asks for; <see langword="null"/> if there was none.</summary>
    public string? RequestId { get; init; }

    /// <summary>
    /// Gets the region of the bucket, if the store rejected the request because it was sent to another region or signed for another region; <see langword="null"/> if it
    /// didn't, or if it didn't return the region.
    /// </summary>
    public string? BucketRegion { get; init; }

    /// <summary>
    /// Gets what to check, if something suggests another cause than the error code, such as an endpoint that contains the bucket; otherwise, <see langword="null"/>. It is
    /// part of <see cref="Message"/>.
    /// </summary>
    public string? Hint { get; init; }

    /// <summary>Gets the number of attempts that were made; 0 if nothing was sent.</summary>
    public int Attempts { get; init; }

    /// <summary>Gets the kind of the error.</summary>
    public TransferError Error { get => field == TransferError.Other ? GetError() : field; init; }

    /// <summary>
    /// Gets the error that occurred while the transfer cleaned up, for example because an upload could not be aborted; <see langword="null"/> if there was none.
    /// </summary>
    public Exception? CleanupError { get; internal set; }

    /// <summary>Gets the number of bytes that the same call doesn't have to transfer again when it resumes the transfer; 0 if no state was kept.</summary>
    public long BytesKept { get; internal set; }

    /// <summary>Gets a value that indicates whether the object doesn't exist. The response to a HEAD request has no error code, and doesn't tell whether the bucket does.</summary>
    internal bool IsOfMissingObject => ErrorKinds.IsOfMissingObject(StatusCode, ErrorCode);

    /// <summary>Sets the bucket and the key if they are not known yet.</summary>
    internal void BelongsTo(ObjectAddress address)
    {
        _bucket ??= address.Bucket;
        _key ??= address.Key;
    }

    private TransferError GetError() => this switch
    {
        MemoryLimitException => TransferError.MemoryLimit,
        ChecksumMismatchException => TransferError.ChecksumMismatch,
        { IsOfMissingObject: true } => TransferError.ObjectNotFound,
        { InnerException: WireException { IsOfCredentials: true } } => TransferError.Credentials,
        { InnerException: WireException { StatusCode: null, Kind: FailureKind.Transient } } => TransferError.Connection,
        _ => ErrorKinds.GetError(StatusCode, ErrorCode),
    };
}
