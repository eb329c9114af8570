using Transfer.S3.Copy;
using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Delete;

/// <summary>
/// Removes the source of what was copied, as the last step of a move: only if the target is verified and complete, and only what was copied. If it fails, both remain,
/// and the same call can be repeated.
/// </summary>
internal static class SourceRemoval
{
    /// <summary>The resolution of the Last-Modified header (RFC 9110, section 5.6.7).</summary>
    private static readonly TimeSpan TimeOfHeaders = TimeSpan.FromSeconds(1);

    /// <summary>Removes an object that was downloaded.</summary>
    /// <param name="run">The call at the store of the source.</param>
    /// <param name="source">The object.</param>
    /// <param name="copied">The object in the state that was copied.</param>
    /// <param name="target">The target, for messages.</param>
    /// <param name="verdict">The result of the verification of the target.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task RemoveAsync(TransferRun run, ObjectAddress source, ObjectInfo copied, string target, ChecksumVerdict verdict, CancellationToken cancellationToken)
    {
        CheckVerified(source.ToString(), target, verdict, source);
        await DeleteAsync(run, source, copied, target, check: null, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Removes an object that was copied to another key or store.</summary>
    /// <param name="run">The call at the store of the source.</param>
    /// <param name="source">The object.</param>
    /// <param name="copy">The copy.</param>
    /// <param name="writing">The call at the store of the target.</param>
    /// <param name="target">The target.</param>
    /// <param name="isOther">Whether the target is known to be another object than the source (<see cref="IsOtherAsync"/>).</param>
    /// <param name="allowedLosses">The names of the properties that the target needn't have.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task RemoveAsync(
        TransferRun run,
        ObjectAddress source,
        CompletedCopy copy,
        TransferRun writing,
        ObjectAddress target,
        bool isOther,
        IReadOnlyCollection<string> allowedLosses,
        CancellationToken cancellationToken)
    {
        CheckVerified(source.ToString(), target.ToString(), copy.Result.Verdict, source);
        string[] lost = [.. copy.Result.LostProperties.Where(name => !AllowedLosses.Contain(allowedLosses, name))];
        if (lost.Length > 0)
        {
            throw Kept(source.ToString(), target.ToString(), $"the copy does not have these properties: {string.Join(", ", lost)}. Set them, or allow their loss", source);
        }

        if (!isOther)
        {
            await CheckHasOtherTimeAsync(source, copy, writing, target, cancellationToken).ConfigureAwait(false);
        }

        await DeleteAsync(run, source, copy.Source, target.ToString(), now => CheckNotWritten(source, copy.Source, now, target), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Removes a file.</summary>
    /// <param name="path">The path of the file.</param>
    /// <param name="local">The open file.</param>
    /// <param name="target">The object.</param>
    /// <param name="verdict">The result of the verification of the object.</param>
    public static async Task RemoveAsync(string path, LocalSource local, ObjectAddress target, ChecksumVerdict verdict)
    {
        CheckVerified($"'{path}'", target.ToString(), verdict, target);
        try
        {
            if (local.Source is not FileSource file || !file.IsUnchanged())
            {
                throw Kept($"'{path}'", target.ToString(), "it was changed or replaced after it was read", target);
            }

            if (OperatingSystem.IsWindows())
            {
                await local.DisposeAsync().ConfigureAwait(false); // an open file can't be deleted there
            }

            FileDeleter.Delete(path, path, file.State);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransferException($"'{path}' was uploaded to {target}, but could not be deleted: {e.Message}", e) { Bucket = target.Bucket, Key = target.Key };
        }
    }

    /// <summary>
    /// Finds out, before an object is copied, whether the target of a move can be its source under another name of the bucket, of the store, or of the object: in a gateway
    /// over a file system, two keys, such as <c>a/b</c> and <c>a//b</c>, can be one file. The deletion of the source would delete the only copy.
    /// </summary>
    /// <param name="reading">The call at the store of the source.</param>
    /// <param name="source">The source.</param>
    /// <param name="getListedAsync">Gets the properties of the source.</param>
    /// <param name="writing">The call at the store of the target.</param>
    /// <param name="target">The target.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>False if the target is an object like the source, so that only the times after the copy tell.</returns>
    /// <exception cref="TransferException">Thrown when both keys are the same, and the buckets can be, too.</exception>
    public static async Task<bool> IsOtherAsync(
        TransferRun reading, ObjectAddress source, Func<Task<ListedObject>> getListedAsync, TransferRun writing, ObjectAddress target, CancellationToken cancellationToken)
    {
        bool isSameKey = source.Key == target.Key;
        if (!isSameKey && IsEachKeyAnObject(reading) && IsEachKeyAnObject(writing))
        {
            return true;
        }

        // What isn't there, or is different, can't be the source.
        ListedObject listed = await getListedAsync().ConfigureAwait(false);
        bool? isSame = await SameBucket.HasAsync(writing, target, listed with { Key = target.Key }, cancellationToken).ConfigureAwait(false);
        if (isSameKey && isSame != false)
        {
            string reason = isSame == true
                ? "both have the same ETag, size, and date, so they are probably the same object under two names"
                : "the target doesn't tell whether it is the same object under another name; allow HEAD requests there, or move to another key";
            throw new TransferException($"{source} was not moved to {target}: {reason}.") { Bucket = target.Bucket, Key = target.Key };
        }

        if (isSame != true)
        {
            return true;
        }

        await Task.Delay(TimeOfHeaders, writing.Client.Time, cancellationToken).ConfigureAwait(false); // the copy gets another time than the source has
        return false;
    }

    /// <summary>Gets the exception for a source that isn't removed.</summary>
    private static TransferException Kept(string source, string target, string reason, ObjectAddress address)
        => new($"{source} was copied to {target}, but was kept: {reason}.") { Bucket = address.Bucket, Key = address.Key };

    private static async Task DeleteAsync(
        TransferRun run, ObjectAddress source, ObjectInfo copied, string target, Func<ObjectInfo, TransferException?>? check, CancellationToken cancellationToken)
    {
        if (string.IsNullOrEmpty(copied.ETag) || ETags.IsWeak(copied.ETag))
        {
            throw Kept(source.ToString(), target, "the store returned no ETag that a deletion can be bound to", source);
        }

        try
        {
            ObjectDeletion deletion = new(source.Key, copied.ETag) { Length = copied.Length };
            await new ObjectDeleter(run, source.Bucket, source.Access).DeleteAsync(deletion, cancellationToken, check).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.PreconditionFailed)
        {
            throw new TransferException($"{source} was copied to {target}, and was then replaced, so the new object was kept.", e) { Error = TransferError.ObjectChanged, Bucket = source.Bucket, Key = source.Key };
        }
        catch (TransferException e)
        {
            throw new TransferException($"{source} was copied to {target}, but could not be deleted: {e.Message}", source, e);
        }
    }

    /// <summary>
    /// Checks that the copy has another time, or another version, than its source had. Two names of one object have the same, and the deletion checks that the source
    /// still has that from before the copy.
    /// </summary>
    private static async Task CheckHasOtherTimeAsync(
        ObjectAddress source, CompletedCopy copy, TransferRun writing, ObjectAddress target, CancellationToken cancellationToken)
    {
        if (copy.Source.VersionId is { } one && copy.Result.VersionId is { } other && one != other)
        {
            return;
        }

        ObjectInfo there = await ObjectLookup.RunAsync(writing, target with { VersionId = null }, cancellationToken).ConfigureAwait(false);
        if (copy.Source.LastModified is not { } before || there.LastModified is not { } written || before == written)
        {
            throw Kept(source.ToString(), target.ToString(), "both have the same time, so they may be one object under two names. If they aren't, move it again", source);
        }
    }

    /// <summary>Returns whether each key of a store is known to be an object of its own.</summary>
    private static bool IsEachKeyAnObject(TransferRun run) => run.Client.Profile.KnownStore is { KeysAreObjects: true };

    /// <summary>Checks that nobody has written the source since it was copied, not even the same content: the copy itself would have, if both were one object.</summary>
    private static TransferException? CheckNotWritten(ObjectAddress source, ObjectInfo copied, ObjectInfo now, ObjectAddress target)
        => copied.LastModified is { } before && now.LastModified is { } after && before != after
            ? new TransferException($"{source} was written at {after:u}, while it was being copied to {target}.") { Error = TransferError.PreconditionFailed, Bucket = source.Bucket, Key = source.Key }
            : null;

    private static void CheckVerified(string source, string target, ChecksumVerdict verdict, ObjectAddress address)
    {
        if (!verdict.IsVerified)
        {
            throw Kept(source, target, $"the copy is not verified ({verdict.Reason})", address);
        }
    }
}
