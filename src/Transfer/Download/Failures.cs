using System.Globalization;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>What a download's failed request means to its caller.</summary>
internal static class Failures
{
    /// <summary>Whether a download that started all ranges at once met a store that reads none.</summary>
    public static bool IsRangeIgnored(Exception e) => e is TransferException { InnerException: WireException { Kind: FailureKind.RangeIgnored } };

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
