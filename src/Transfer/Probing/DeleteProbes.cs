using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Probing;

/// <summary>What deletions support.</summary>
internal static class DeleteProbes
{
    private const string Batch = "batch-delete";

    public static IReadOnlyList<Probe> All { get; } =
    [
        new("delete-if-match", "Deleting an object only if it is unchanged", DeleteIfMatchAsync) { Trait = StoreTrait.DeleteMatch },
        new(Batch, "Deleting many objects with one request", BatchDeleteAsync),
        new("batch-delete-if-match", "Deleting many objects only if they are unchanged", BatchDeleteIfMatchAsync) { Trait = StoreTrait.BatchDeleteMatch, Requires = [Batch] },
    ];

    private static async Task<Finding> DeleteIfMatchAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        await area.PutAsync("delete", cancellationToken: cancellationToken).ConfigureAwait(false);
        return Finding.OfCondition(await ProbeArea.ErrorOfAsync(
            area.SendAsync((wire, token) => wire.DeleteObjectAsync(area.At("delete"), ProbeArea.OtherETag, token), cancellationToken)).ConfigureAwait(false));
    }

    private static async Task<Finding> BatchDeleteAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        await area.PutAsync(Batch, cancellationToken: cancellationToken).ConfigureAwait(false);
        try
        {
            IReadOnlyList<RefusedDeletion> refused = await DeleteAsync(area, etag: null, cancellationToken).ConfigureAwait(false);
            return refused is [{ Error: { } error }, ..] ? Finding.OfError(error)
                : await area.ExistsAsync(Batch, cancellationToken).ConfigureAwait(false) ? Finding.Ignored("the object was not deleted")
                : Finding.Supported;
        }
        catch (WireException e)
        {
            return Finding.OfError(e);
        }
    }

    private static async Task<Finding> BatchDeleteIfMatchAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        await area.PutAsync(Batch, cancellationToken: cancellationToken).ConfigureAwait(false);
        try
        {
            IReadOnlyList<RefusedDeletion> refused = await DeleteAsync(area, ProbeArea.OtherETag, cancellationToken).ConfigureAwait(false);
            bool isThere = await area.ExistsAsync(Batch, cancellationToken).ConfigureAwait(false);
            return !isThere ? Finding.Ignored("an object was deleted although its condition did not hold")
                : refused is [{ Error: { Kind: not FailureKind.PreconditionFailed } error }, ..] ? Finding.OfError(error)
                : Finding.Supported;
        }
        catch (WireException e)
        {
            return Finding.OfError(e);
        }
    }

    private static Task<IReadOnlyList<RefusedDeletion>> DeleteAsync(ProbeArea area, string? etag, CancellationToken cancellationToken)
        => area.SendAsync((wire, token) => wire.DeleteObjectsAsync(area.Bucket, [new ObjectDeletion(area.At(Batch).Key, etag)], ReadAccess.Plain, token), cancellationToken);
}
