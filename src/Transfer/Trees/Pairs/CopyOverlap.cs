using Transfer.S3.Delete;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Refuses copies that would be copied again, because they are under the source.</summary>
/// <param name="pair">The sides.</param>
internal sealed class CopyOverlap(StorePairing pair)
{
    private readonly DirectoryOptions _options = (DirectoryOptions)pair.Options;
    private bool _isSameStore = pair.IsSameStore;
    private bool _isFirst = true;
    private bool _isFirstBelowTarget = true;

    private ObjectAddress Source => pair.From.Address;

    private ObjectAddress Target => pair.To.Address;

    /// <summary>Gets a value that indicates whether earlier versions become the current ones. These copies have the keys of their sources, so none is copied again.</summary>
    private bool IsAllInPlace => _options.AsOf is not null && _isSameStore && Source.Bucket == Target.Bucket && Target.Key == Source.Key;

    private bool IsTargetUnderSource => IsUnderSource(Target.Key);

    /// <summary>Checks what the addresses tell.</summary>
    /// <exception cref="ArgumentException">Thrown when the target is the source or under it.</exception>
    public void Check()
    {
        if (IsSource(Target.Key))
        {
            throw new ArgumentException($"{pair.To.Name} is {pair.From.Name} or under it, so the copies would be copied again.");
        }
    }

    /// <summary>Returns whether an object is the current version of itself, so that nothing has to be copied.</summary>
    public bool IsInPlace(TreeEntry source) => source.Listed is { IsLatest: true } && IsAllInPlace;

    /// <summary>Returns why an object isn't copied; null if it can be. It is called for each one in order.</summary>
    /// <exception cref="TransferException">Thrown when both stores are the same under two names, and the target is under the source.</exception>
    public async ValueTask<TransferException?> RefuseAsync(TreeEntry source, CancellationToken cancellationToken)
    {
        // The second look is for the case that the first object was replaced at that moment.
        bool isBelowTarget = IsTargetUnderSource && pair.From.GetAddress(source).Key.StartsWith(Target.Key, StringComparison.Ordinal);
        if ((_isFirst || (_isFirstBelowTarget && isBelowTarget)) && await TryCheckIsOtherBucketAsync(source, cancellationToken).ConfigureAwait(false))
        {
            (_isFirst, _isFirstBelowTarget) = (false, _isFirstBelowTarget && !isBelowTarget);
        }

        string target = Target.Key + source.Name;
        return IsSource(target)
            ? new TransferException($"{pair.From.GetAddress(source)} can't be copied to {target}, because that key is under the source prefix.") { Bucket = Source.Bucket, Key = pair.From.GetAddress(source).Key }
            : null;
    }

    /// <summary>Returns whether a key of the target is under the source prefix, so that it could be copied again.</summary>
    private bool IsSource(string key) => _isSameStore && !IsAllInPlace && Source.Bucket == Target.Bucket && IsUnderSource(key);

    private bool IsUnderSource(string key) => Overlap.Contains(Source.Key, key);

    /// <summary>Checks that buckets of the same name in stores with different addresses are different buckets, if the copies would otherwise be copied again.</summary>
    /// <returns>False if an object of a list doesn't exist, so that it tells nothing.</returns>
    private async ValueTask<bool> TryCheckIsOtherBucketAsync(TreeEntry source, CancellationToken cancellationToken)
    {
        if (_options is { Keys: not null, DeleteSource: false } || _isSameStore || Source.Bucket != Target.Bucket || !Overlap.Exists(Source.Key, Target.Key))
        {
            return true; // a list doesn't grow by the copies
        }

        ListedObject listed;
        try
        {
            listed = await pair.FindListedAsync(source, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.IsOfMissingObject)
        {
            return false;
        }

        bool? isSame = await SameBucket.HasAsync(pair.To.Run, Target, listed, cancellationToken).ConfigureAwait(false);
        if (isSame == true && IsTargetUnderSource)
        {
            throw new TransferException(
                $"{pair.To.Name} is {pair.From.Name} or under it, so the copies would be copied again. Both stores have the object {listed.Key} with the same ETag and date, so they are the same store under two names.")
            {
                Bucket = Target.Bucket,
                Key = listed.Key,
            };
        }

        if (isSame is null && IsTargetUnderSource && Target.Key != Source.Key)
        {
            throw new TransferException(
                $"{pair.To.Name} is under {pair.From.Name}, and the target doesn't tell whether it is another store, so the copies could be copied again and again. Allow HEAD requests at the target, or copy to another prefix or bucket.")
            {
                Bucket = Target.Bucket,
                Key = listed.Key,
            };
        }

        _isSameStore = isSame == true;
        return true;
    }
}
