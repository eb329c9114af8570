using Transfer.S3.Trees;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>Finds out whether a target is what an item makes, whoever made it.</summary>
internal sealed class TargetProof(Pairing sync, JobPlan plan)
{
    /// <param name="item">The item.</param>
    /// <param name="target">The target; null if there is none.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>What shows that the target is what the item makes; null if nothing does. And how the source has changed since it was planned; null if it hasn't.</returns>
    public async Task<(string? Reason, string? SourceChange)> FindAsync(JobItem item, TreeEntry? target, CancellationToken cancellationToken)
    {
        TreeEntry source = item.ToSource(plan.Source);
        string? change = await FindChangeAsync(source, cancellationToken).ConfigureAwait(false);
        if (change is not null || target?.Length != item.Bytes)
        {
            return (null, change);
        }

        Outcome? known = item.Bytes == 0 ? Outcome.Same(item.Name, 0, "size") : null;
        Outcome action = known ?? (await sync.CompareAsync(source, target, cancellationToken).ConfigureAwait(false)).Action;
        change = await FindChangeAsync(source, cancellationToken).ConfigureAwait(false);
        return (action.Status == OutcomeStatus.Same && change is null ? action.Reason : null, change);
    }

    /// <summary>Finds out how the source has changed since it was planned.</summary>
    /// <returns>Null if it is still the same.</returns>
    private async Task<string?> FindChangeAsync(TreeEntry source, CancellationToken cancellationToken)
        => await sync.Source.FindAgainAsync(source, cancellationToken).ConfigureAwait(false) is not { } now ? "deleted"
            : source.Pin is { } pin ? (now.State is { } state && state.IsSame(pin) ? null : "changed")
            : source.IsFolder || (now.Length == source.Length && (source.ETag is null || ETags.AreSame(now.ETag, source.ETag))) ? null
            : "replaced";
}
