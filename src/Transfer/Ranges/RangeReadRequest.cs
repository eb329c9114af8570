using Transfer.S3.Download;
using Transfer.S3.Requests;

namespace Transfer.S3.Ranges;

/// <summary>The validated arguments of a call that reads ranges.</summary>
/// <param name="Download">The object and the options that downloads have too.</param>
/// <param name="Ranges">A copy of the caller's list.</param>
/// <param name="MaxCoalescedBytes">The maximum number of bytes to request at once.</param>
/// <param name="Events">The events of the caller; null for none.</param>
/// <param name="RateLimit">The limit of the call; null for none.</param>
internal sealed record RangeReadRequest(DownloadRequest Download, ObjectRange[] Ranges, long MaxCoalescedBytes, TransferEvents? Events, RateLimit? RateLimit)
{
    /// <summary>Begins the transfer of the ranges.</summary>
    public TransferRun Begin(ClientContext context) => context.Begin(TransferDirection.Download, Download.Address, null, Events, rateLimit: RateLimit);

    /// <exception cref="ArgumentException">The list contains null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of range.</exception>
    public static RangeReadRequest From(DownloadRequest download, IReadOnlyList<ObjectRange> ranges, RangeReadOptions options)
    {
        ObjectRange[] copy = Copy(ranges);
        long most = OptionGuard.Size(
            nameof(options.MaxCoalescedBytes), options.MaxCoalescedBytes, TransferDefaults.MinMaxCoalescedBytes, TransferDefaults.MaxMaxCoalescedBytes);
        return new RangeReadRequest(download, copy, most, options.Events, options.RateLimit);
    }

    /// <summary>Copies the list of a caller.</summary>
    /// <exception cref="ArgumentException">The list contains null.</exception>
    public static ObjectRange[] Copy(IReadOnlyList<ObjectRange> ranges)
    {
        ArgumentNullException.ThrowIfNull(ranges);
        ObjectRange[] copy = [.. ranges];
        int missing = Array.IndexOf(copy, null);
        return missing < 0 ? copy : throw new ArgumentException($"The range at index {missing} is null.", nameof(ranges));
    }
}
