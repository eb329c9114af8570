using Transfer.S3.Copy;
using Transfer.S3.Download;
using Transfer.S3.Scheduling;
using Transfer.S3.Wire;

namespace Transfer.S3.Move;

/// <summary>
/// Proves that a source and its copy are two objects before the source is deleted. In a gateway over a file system, two keys, such as <c>a/b</c> and <c>a//b</c>, or
/// those of a linked directory, can be one file, so that the deletion would delete the only copy.
/// </summary>
/// <remarks>
/// Two names of one object have the same version and the same last-modified time. So other versions or times prove that there are two objects, as long as the source has
/// the time from before the copy, which the deletion itself checks. Headers have no fractions of a second. If the source was written in the second of the copy, a listing
/// decides. If that has no fractions either, only keys that no file system takes for the same name are accepted.
/// </remarks>
/// <param name="reading">The call at the store of the source.</param>
/// <param name="source">The source.</param>
/// <param name="copy">The copy.</param>
/// <param name="writing">The call at the store of the target.</param>
/// <param name="target">The target.</param>
internal sealed class TwinCheck(TransferRun reading, ObjectAddress source, CompletedCopy copy, TransferRun writing, ObjectAddress target)
{
    /// <exception cref="TransferException">Thrown when both can be the same object.</exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        if (IsEachKeyAnObject(reading) && IsEachKeyAnObject(writing))
        {
            return; // the same key was checked before the copy
        }

        if (copy.Source.VersionId is { } one && copy.Result.VersionId is { } other && one != other)
        {
            return;
        }

        if (copy.Source.LastModified is { } before && await GetTimeAsync(cancellationToken).ConfigureAwait(false) is { } written && before != written)
        {
            return;
        }

        if (await FindAsync(reading, source, cancellationToken).ConfigureAwait(false) is { LastModified: { } listed }
            && await FindAsync(writing, target, cancellationToken).ConfigureAwait(false) is { LastModified: { } copied } && listed != copied)
        {
            return;
        }

        if (FoldedKey.Get(source.Key) == FoldedKey.Get(target.Key))
        {
            throw SourceRemoval.Kept(
                source.ToString(), target.ToString(), "both have the same time, so they may be one object under two names. If they aren't, move it again", source);
        }
    }

    /// <summary>Returns whether each key of a store is known to be an object of its own.</summary>
    private static bool IsEachKeyAnObject(TransferRun run) => run.Client.Profile.KnownStore is { KeysAreObjects: true };

    /// <summary>Gets the last-modified time of the target; null if it isn't known, because who can write objects can't always read them.</summary>
    private async Task<DateTimeOffset?> GetTimeAsync(CancellationToken cancellationToken)
    {
        try
        {
            return (await ObjectLookup.RunAsync(writing, target with { VersionId = null }, cancellationToken).ConfigureAwait(false)).LastModified;
        }
        catch (TransferException)
        {
            return null;
        }
    }

    /// <summary>Finds an object in a listing; null if it isn't there, or if it can't be listed.</summary>
    private static async Task<ListedObject?> FindAsync(TransferRun run, ObjectAddress address, CancellationToken cancellationToken)
    {
        try
        {
            ListQuery query = new(address.Bucket, address.Key, address.Access) { MaxKeys = 1 };
            Page<ListedObject> page = await run.SendAsync(token => run.Client.Wire.ListAsync(query, null, token), cancellationToken).ConfigureAwait(false);
            return page.Items.FirstOrDefault(item => item.Key == address.Key);
        }
        catch (WireException)
        {
            return null;
        }
    }
}
