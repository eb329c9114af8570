using System.Net;
using Transfer.Wire;

namespace Transfer;

/// <summary>A transfer that failed. Cancellation is never reported this way: it is an <see cref="OperationCanceledException"/>.</summary>
public class TransferException : Exception
{
    private string? _bucket;
    private string? _key;

    /// <summary>Creates the exception without a message of its own.</summary>
    public TransferException()
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What failed, for a person.</param>
    public TransferException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What failed, for a person.</param>
    /// <param name="innerException">What it was caused by.</param>
    public TransferException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>What a failed request means to a transfer: it carries all that the store said.</summary>
    internal TransferException(string message, ObjectAddress address, WireException failure)
        : base(message, failure)
    {
        Bucket = address.Bucket;
        Key = address.Key;
        StatusCode = failure.StatusCode;
        ErrorCode = failure.ErrorCode;
        RequestId = failure.RequestId;
        Attempts = failure.Attempts;
    }

    /// <summary>The bucket, where the failure belongs to one.</summary>
    public string? Bucket { get => _bucket; init => _bucket = value; }

    /// <summary>The key, where the failure belongs to one.</summary>
    public string? Key { get => _key; init => _key = value; }

    /// <summary>The number of the part of an upload, from 1.</summary>
    public int? PartNumber { get; init; }

    /// <summary>The first byte of the range of a download.</summary>
    public long? RangeOffset { get; init; }

    /// <summary>The length in bytes of the range of a download.</summary>
    public long? RangeLength { get; init; }

    /// <summary>The status that the store answered with.</summary>
    public HttpStatusCode? StatusCode { get; init; }

    /// <summary>The store's error code, for example <c>NoSuchKey</c>.</summary>
    public string? ErrorCode { get; init; }

    /// <summary>The id to quote when asking the store's support about the request.</summary>
    public string? RequestId { get; init; }

    /// <summary>Attempts that were made; 0 where nothing was sent.</summary>
    public int Attempts { get; init; }

    /// <summary>What went wrong while cleaning up after this failure, for example an upload that could not be aborted.</summary>
    public Exception? CleanupError { get; internal set; }

    /// <summary>Bytes that the same call, made again, need not move again; 0 where nothing was kept.</summary>
    public long BytesKept { get; internal set; }

    /// <summary>Says whose failure it is, where whoever found it did not know.</summary>
    internal void BelongsTo(ObjectAddress address)
    {
        _bucket ??= address.Bucket;
        _key ??= address.Key;
    }
}
