namespace Transfer.S3.Trees;

/// <summary>
/// Looks at the source again immediately before targets are deleted because the source lacks their names. Hours can have passed since both sides were listed, and
/// another run can have copied what was created in the meantime.
/// </summary>
/// <param name="pair">The sides.</param>
/// <param name="excluded">Whether targets are deleted although the source has them, if it has them unselected.</param>
internal sealed class SourceReview(Pairing pair, bool excluded)
{
    /// <summary>The number of names to look up before they are deleted: as many as a page of a listing has, and as one request deletes.</summary>
    public const int BatchSize = 1000;

    /// <summary>Finds the targets whose names the source still doesn't have. The others are reported.</summary>
    /// <param name="targets">The targets, in order.</param>
    /// <param name="ended">Called for each target that isn't deleted, with the reason.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<IReadOnlyList<TreeEntry>> RunAsync(IReadOnlyList<TreeEntry> targets, Action<TreeEntry, Exception?> ended, CancellationToken cancellationToken)
    {
        // A folder is deleted only if it is empty, whatever the source has.
        TreeEntry[] asked = [.. targets.Where(target => !target.IsFolder && (!excluded || pair.Filter.Takes(target.Name)))];
        if (asked.Length == 0)
        {
            return targets;
        }

        TreeEntry?[] found = await pair.Source.FindAsync([.. asked.Select(static target => target.Name)], cancellationToken).ConfigureAwait(false);
        HashSet<string>? kept = null;
        for (int i = 0; i < asked.Length; i++)
        {
            if (found[i] is { } source && (source.Error is not null || !excluded || source.IsLink || pair.IsSelected(source)))
            {
                (kept ??= []).Add(asked[i].Name);
                ended(asked[i], Keep(asked[i], source.Error));
            }
        }

        return kept is null ? targets : [.. targets.Where(target => !kept.Contains(target.Name))];
    }

    private TransferException Keep(TreeEntry target, Exception? error) => error is null
        ? new TransferException($"{GetName(target)} was not deleted, because {pair.Source.Name} has this name now.") { Error = TransferError.PreconditionFailed, Bucket = pair.Address.Bucket, Key = pair.Address.Key + target.Name }
        : new TransferException($"{GetName(target)} was not deleted, because {pair.Source.Name} could not be looked at again: {error.Message}", error) { Bucket = pair.Address.Bucket, Key = pair.Address.Key + target.Name };

    private string GetName(TreeEntry target) => $"'{target.Name}' in {pair.Target.Name}";
}
