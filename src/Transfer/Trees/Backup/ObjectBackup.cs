using System.Net;
using Transfer.S3.Copy;
using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Verify;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Copies objects inside the store of the target before they are replaced or deleted.</summary>
internal sealed class ObjectBackup
{
    private readonly ObjectAddress _target;
    private readonly CopyPlan _plan;

    private ObjectBackup(ObjectAddress target, CopyPlan plan)
    {
        _target = target;
        _plan = plan;
    }

    /// <summary>Gets the prefix of the backup.</summary>
    private ObjectAddress Prefix => _plan.Target;

    /// <summary>Validates the backup of a synchronization to a prefix; null if there is none.</summary>
    /// <param name="all">The options.</param>
    /// <param name="target">The prefix that is synchronized.</param>
    /// <param name="source">The prefix that is read, if it is in the same store; null otherwise.</param>
    /// <param name="settings">The settings of the client of the target.</param>
    public static ObjectBackup? From(TreeTransferOptions all, ObjectAddress target, ObjectAddress? source, ClientSettings settings)
    {
        if (all is not SyncOptions options || options.Backup?.Normalize() is not { } backup)
        {
            return null;
        }

        if (backup.Bucket is null)
        {
            throw new ArgumentException($"{nameof(options.Backup)} is the folder '{backup}', but the target is {target}. Use {nameof(Place)}.{nameof(Place.InBucket)}.", nameof(all));
        }

        if (target.Access.CustomerKey is not null)
        {
            throw new ArgumentException($"{nameof(options.Backup)} can't be combined with a key of the customer, because the store can't copy such objects without it.", nameof(all));
        }

        string prefix = backup.Prefix!;
        CopyOptions each = new() { RequesterPays = target.Access.RequesterPays, Overwrite = false };
        CopyPlan plan = CopyPlan.ForPrefix(new(target.Bucket, target.Key), new(backup.Bucket, prefix), each, settings);
        BackupOverlap.Check(
            plan.Target.ToString(),
            source is { } read && read.Bucket == backup.Bucket ? (read.Key, prefix) : null,
            target.Bucket == backup.Bucket ? (target.Key, prefix) : null,
            options,
            new PathFilter(options));
        return new ObjectBackup(target, plan);
    }

    /// <summary>Gets the requests that copy an object of a length.</summary>
    public StoreUsage Estimate(ClientContext client, long length) => CopyCoordinator.Estimate(client, _plan, length) + RequestKind.HeadObject.ToUsage();

    /// <summary>Copies an object as it was listed, unless it has a backup.</summary>
    /// <exception cref="TransferException">Thrown when there is no backup.</exception>
    public async Task RunAsync(TransferRun whole, TreeEntry entry, CancellationToken cancellationToken)
    {
        ObjectAddress address = _target with { Key = _target.Key + entry.Name };
        foreach (string name in BackupName.Candidates(entry.Name))
        {
            CopyPlan plan = _plan with { Source = address, Target = Prefix with { Key = Prefix.Key + name }, SourceETag = ETags.IsWeak(entry.ETag) ? null : entry.ETag, SourceLength = entry.Length };
            TransferRun run = whole.Client.BeginCounting(plan.Target.Bucket, plan.Target.Key, whole, countsBytes: false);
            try
            {
                await run.EndAfterAsync(new CopyCoordinator(run, plan).RunAsync(cancellationToken)).ConfigureAwait(false);
                return;
            }
            catch (TransferException e) when (e.Error == TransferError.PreconditionFailed)
            {
                if (await IsBackupAsync(run, address, entry, plan.Target, cancellationToken).ConfigureAwait(false))
                {
                    return; // of an earlier run, which was interrupted before it replaced or deleted the object
                }
            }
        }

        throw BackupName.TooMany(address.ToString(), (Prefix with { Key = Prefix.Key + entry.Name }).ToString());
    }

    private static async Task<bool> IsBackupAsync(TransferRun run, ObjectAddress address, TreeEntry entry, ObjectAddress taken, CancellationToken cancellationToken)
    {
        ObjectInfo there;
        try
        {
            there = await ObjectLookup.RunAsync(run, taken, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            return false; // somebody has deleted it, and an error for a missing object would be about the one to keep
        }

        if (there.Length != entry.Length)
        {
            return false;
        }

        if (SameTags.AreEvidence(entry.ETag, there.ETag))
        {
            return true;
        }

        ObjectInfo now = await ObjectLookup.RunAsync(run, address, cancellationToken).ConfigureAwait(false);
        return ETags.AreSame(now.ETag, entry.ETag)
            && now.Checksum is { IsComposite: false } one && there.Checksum is { IsComposite: false } other && one.Algorithm == other.Algorithm && one.Value == other.Value;
    }
}
