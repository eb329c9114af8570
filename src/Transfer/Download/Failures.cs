using System.Globalization;
using System.Net;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>What a download's failed request means to its caller.</summary>
internal static class Failures
{
    /// <summary>Whether a download that started all ranges at once met a store that reads none.</summary>
    public static bool IsRangeIgnored(Exception e) => e is TransferException { InnerException: WireException { Kind: FailureKind.RangeIgnored } };

    /// <summary>The request that opens the object: it alone carries the caller's conditions.</summary>
    public static TransferException OfFirst(ObjectAddress address, ReadCondition condition, long offset, long? length, bool isSized, WireException e)
    {
        if (e.Kind == FailureKind.RangeNotSatisfiable && !isSized)
        {
            return PastTheEnd(address, offset, null, e);
        }

        if (e.Kind == FailureKind.NotModified)
        {
            return new ObjectNotModifiedException($"{address} was not modified: it is still as the condition describes it.", address, e);
        }

        if (e.Kind == FailureKind.PreconditionFailed && (condition.IfMatch is not null || condition.IfUnmodifiedSince is not null))
        {
            string which = condition.IfMatch is { } etag ? $"its entity tag is not {etag}"
                : string.Create(CultureInfo.InvariantCulture, $"it was modified since {condition.IfUnmodifiedSince:u}");
            return new PreconditionFailedException($"{address} does not meet the condition: {which}.", address, e);
        }

        return OfRange(address, offset, length, e);
    }

    /// <summary>The caller wants bytes that are not there.</summary>
    public static TransferException PastTheEnd(ObjectAddress address, long offset, long? total, WireException? e = null)
    {
        string size = total is { } bytes ? string.Create(CultureInfo.InvariantCulture, $" of {bytes} bytes") : string.Empty;
        return new TransferException(string.Create(CultureInfo.InvariantCulture, $"{address}{size} has no byte {offset}, where the range begins."), e)
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

    public static TransferException OfRange(ObjectAddress address, long offset, long? length, WireException e)
    {
        if (e.Kind is FailureKind.PreconditionFailed or FailureKind.RangeNotSatisfiable)
        {
            return new ObjectChangedException($"{address} was replaced while it was being downloaded, or is not the object that the hint described.", address, e)
            {
                RangeOffset = offset,
                RangeLength = length,
            };
        }

        if (e.Kind == FailureKind.Corrupt)
        {
            return new ChecksumMismatchException($"{address}: {e.Message}", address, e) { RangeOffset = offset, RangeLength = length };
        }

        string range = length is { } l ? string.Create(CultureInfo.InvariantCulture, $", bytes {offset}-{offset + l - 1}") : string.Empty;
        return new TransferException($"{address}{range}: {e.Message}{e.AttemptsText}", address, e) { RangeOffset = offset, RangeLength = length };
    }
}
