using System.Globalization;
using System.Net;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>Translates a failed request of a download into the exception for the caller.</summary>
internal static class Failures
{
    /// <summary>Returns whether a download that started all ranges at once failed because the store ignores ranges.</summary>
    public static bool IsRangeIgnored(Exception e) => e is TransferException { InnerException: WireException { Kind: FailureKind.RangeIgnored } };

    /// <summary>Creates the exception for the first request, which is the only one that carries the caller's conditions.</summary>
    public static TransferException OfFirst(ObjectAddress address, ReadCondition condition, RequestedRange range, bool isSized, WireException e)
    {
        if (e.Kind == FailureKind.RangeNotSatisfiable && !isSized)
        {
            return PastTheEnd(address, range.Offset, null, e);
        }

        if (e.Kind == FailureKind.NotModified)
        {
            return new TransferException($"{address} was not modified since the ETag or the time in the condition.", address, e) { Error = TransferError.NotModified };
        }

        if (e.Kind == FailureKind.PreconditionFailed && (condition.IfMatch is not null || condition.IfUnmodifiedSince is not null))
        {
            string which = condition.IfMatch is { } etag ? $"its ETag is not {etag}"
                : string.Create(CultureInfo.InvariantCulture, $"it was modified after {condition.IfUnmodifiedSince:u}");
            return new TransferException($"{address} does not meet the condition: {which}.", address, e) { Error = TransferError.PreconditionFailed };
        }

        return OfRange(address, range, e);
    }

    /// <summary>Creates the exception for a range that begins at or after the end of the object.</summary>
    public static TransferException PastTheEnd(ObjectAddress address, long offset, long? total, WireException? e = null)
    {
        string size = total is { } bytes ? string.Create(CultureInfo.InvariantCulture, $", which has {bytes} bytes") : string.Empty;
        return new TransferException(string.Create(CultureInfo.InvariantCulture, $"{address} has no byte {offset}: the range begins at or after the end of the object{size}."), e)
        {
            Bucket = address.Bucket,
            Key = address.Key,
            RangeOffset = offset,
            StatusCode = HttpStatusCode.RequestedRangeNotSatisfiable,
            ErrorCode = e?.ErrorCode ?? "InvalidRange",
            RequestId = e?.RequestId,
            Attempts = e?.Attempts ?? 0,
        };
    }

    public static TransferException OfRange(ObjectAddress address, RequestedRange range, WireException e)
    {
        long? offset = range.IsLast ? null : range.Offset;
        long? length = range.Length;
        if (e.Kind is FailureKind.PreconditionFailed or FailureKind.RangeNotSatisfiable)
        {
            return new TransferException($"{address} was replaced during the download, or it does not match the hint.", address, e)
            {
                Error = TransferError.ObjectChanged,
                RangeOffset = offset,
                RangeLength = length,
            };
        }

        if (e.Kind == FailureKind.Corrupt)
        {
            return new ChecksumMismatchException($"{address}: {e.Message}", address, e) { RangeOffset = offset, RangeLength = length };
        }

        bool isOfWhole = length is null || e.ErrorCode == "NoSuchBucket" || ErrorKinds.IsOfMissingObject(e.StatusCode, e.ErrorCode); // no range of it is there
        string bytes = isOfWhole ? string.Empty : $", {range}";
        return new TransferException($"{address}{bytes}: {e.Message}{e.AttemptsText}", address, e) { RangeOffset = offset, RangeLength = length };
    }
}
