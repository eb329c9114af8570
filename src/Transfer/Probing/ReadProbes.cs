using System.Net;
using Transfer.S3.Wire;

namespace Transfer.S3.Probing;

/// <summary>What GetObject supports.</summary>
internal static class ReadProbes
{
    private const string Name = "read";

    public static IReadOnlyList<Probe> All { get; } =
    [
        new("range", "Ranges of an object", (area, token) => RangeAsync(area, new RequestedRange(5, 3), token)),
        new("suffix-range", "Ranges from the end of an object", (area, token) => RangeAsync(area, RequestedRange.Last(3), token)),
        new("read-if-match", "Reading an object only if it is unchanged", ReadIfMatchAsync),
    ];

    private static async Task<Finding> RangeAsync(ProbeArea area, RequestedRange range, CancellationToken cancellationToken)
    {
        await area.PutAsync(Name, cancellationToken: cancellationToken).ConfigureAwait(false);
        try
        {
            using RangeResponse response = await area.SendAsync(
                (wire, token) => wire.GetRangeAsync(area.At(Name), range, ReadCondition.None, wantChecksum: false, token), cancellationToken).ConfigureAwait(false);
            return response.Length == range.Length ? Finding.Supported : Finding.Ignored("the whole object was returned");
        }
        catch (WireException e)
        {
            return e.Kind == FailureKind.RangeIgnored ? Finding.Ignored("the whole object was returned")
                : e.StatusCode is HttpStatusCode.OK or HttpStatusCode.PartialContent ? Finding.Ignored(e.Message)
                : Finding.OfError(e);
        }
    }

    private static async Task<Finding> ReadIfMatchAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        await area.PutAsync(Name, cancellationToken: cancellationToken).ConfigureAwait(false);
        return Finding.OfCondition(await ProbeArea.ErrorOfAsync(ReadAsync()).ConfigureAwait(false));

        async Task ReadAsync()
        {
            ReadCondition condition = new() { IfMatch = ProbeArea.OtherETag };
            (await area.SendAsync(
                (wire, token) => wire.GetRangeAsync(area.At(Name), default, condition, wantChecksum: false, token), cancellationToken).ConfigureAwait(false)).Dispose();
        }
    }
}
