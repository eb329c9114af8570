using System.Globalization;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>What a download's failed request means to its caller.</summary>
internal static class Failures
{
    public static TransferException OfRange(ObjectAddress address, long offset, long? length, WireException e)
    {
        if (e.Kind is FailureKind.PreconditionFailed or FailureKind.RangeNotSatisfiable)
        {
            return new ObjectChangedException($"{address} was replaced while it was being downloaded, or is not the object that the hint described.", e)
            {
                Bucket = address.Bucket,
                Key = address.Key,
                RangeOffset = offset,
                RangeLength = length,
                StatusCode = e.StatusCode,
                ErrorCode = e.ErrorCode,
                RequestId = e.RequestId,
                Attempts = e.Attempts,
            };
        }

        string range = length is { } l ? string.Create(CultureInfo.InvariantCulture, $", bytes {offset}-{offset + l - 1}") : string.Empty;
        string attempts = e.Attempts > 1 ? $" ({e.Attempts} attempts)" : string.Empty;
        return new TransferException($"{address}{range}: {e.Message}{attempts}", e)
        {
            Bucket = address.Bucket,
            Key = address.Key,
            RangeOffset = offset,
            RangeLength = length,
            StatusCode = e.StatusCode,
            ErrorCode = e.ErrorCode,
            RequestId = e.RequestId,
            Attempts = e.Attempts,
        };
    }
}
