using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Decides what happens to archived objects of a transfer of many objects.</summary>
/// <param name="archived">What happens to them.</param>
/// <param name="days">The number of days for which restored copies can be read.</param>
/// <param name="dryRun">Whether no restoration is requested.</param>
internal sealed class ArchivedSources(ArchivedObjects archived, int days, bool dryRun)
{
    private const string Glacier = "GLACIER";
    private const string DeepArchive = "DEEP_ARCHIVE";

    /// <summary>Ends an object that is archived according to its listing. A restored copy can be read.</summary>
    /// <param name="side">The side of the object.</param>
    /// <param name="entry">The object.</param>
    /// <param name="outcome">The outcome so far.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The outcome; null if the object can be read.</returns>
    public async ValueTask<Outcome?> CheckAsync(StoreSide side, TreeEntry entry, Outcome outcome, CancellationToken cancellationToken)
    {
        if (entry.Listed is not { StorageClass: Glacier or DeepArchive } listed)
        {
            return null;
        }

        RestoreState? restore = listed.Restore;
        if (restore is null && side.Client.Profile.KnownStore is not { ListsRestoreStates: true })
        {
            restore = await HeadAsync(side.Run, side.GetAddress(entry), cancellationToken).ConfigureAwait(false);
        }

        return restore is { IsInProgress: false } ? null
            : archived == ArchivedObjects.Restore && restore is { IsInProgress: true } ? outcome with { Status = OutcomeStatus.Restoring }
            : await EndAsync(side, entry, outcome, null, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Ends an object whose transfer failed because it is archived.</summary>
    /// <param name="side">The side of the object.</param>
    /// <param name="entry">The object.</param>
    /// <param name="outcome">The outcome so far.</param>
    /// <param name="error">The error of its transfer; null if nothing was tried.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<Outcome> EndAsync(StoreSide side, TreeEntry entry, Outcome outcome, TransferException? error, CancellationToken cancellationToken)
    {
        switch (archived)
        {
            case ArchivedObjects.Skip:
                return outcome with { Status = OutcomeStatus.Archived };
            case ArchivedObjects.Restore:
                if (!dryRun)
                {
                    await Restoration.RequestAsync(side.Run, side.GetAddress(entry), days, cancellationToken).ConfigureAwait(false);
                }

                return outcome with { Status = OutcomeStatus.Restoring };
            default:
                return outcome.Failed(error ?? Restoration.NotReadable(side.GetAddress(entry)));
        }
    }

    private static async Task<RestoreState?> HeadAsync(TransferRun run, ObjectAddress address, CancellationToken cancellationToken)
    {
        try
        {
            return (await run.SendAsync(token => run.Client.Wire.HeadAsync(address, token), cancellationToken).ConfigureAwait(false)).Info.Restore;
        }
        catch (WireException e)
        {
            throw Failures.Create(address, "read the headers", null, e);
        }
    }
}
