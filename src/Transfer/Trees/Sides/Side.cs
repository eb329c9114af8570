using System.Runtime.ExceptionServices;
using Transfer.S3.Files;
using Transfer.S3.Upload;

namespace Transfer.S3.Trees;

/// <summary>One of the two sides of an operation on many objects: a folder or a prefix.</summary>
internal abstract class Side
{
    public abstract Place Place { get; }

    /// <summary>Gets the name in messages.</summary>
    public abstract string Name { get; }

    /// <summary>Gets what tells the side from others.</summary>
    public abstract string Identity { get; }

    /// <summary>Gets a value that indicates whether the side exists only if there is an object, as a prefix does.</summary>
    public virtual bool NeedsObjects => false;

    /// <summary>Checks that entries can be read.</summary>
    /// <exception cref="TransferException">Thrown when the side doesn't exist.</exception>
    public virtual void CheckSource()
    {
    }

    /// <summary>Checks that entries can be written.</summary>
    /// <exception cref="TransferException">Thrown when something else has the name of the side.</exception>
    public virtual void CheckTarget()
    {
    }

    /// <summary>Reads all entries, also what isn't selected, because it can shield a target. Only excluded folders can be left out.</summary>
    /// <exception cref="TransferException">Thrown when the side can't be read to its end.</exception>
    public abstract IAsyncEnumerable<TreeEntry> ReadAsync(SideReading reading, CancellationToken cancellationToken);

    /// <summary>Finds what is there now, without a listing. What is found is at least as new as this call.</summary>
    /// <param name="names">Names that follow those of the call before, in order.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>An entry for each name; null if there is none. An entry that can't be looked up has the error.</returns>
    public abstract Task<TreeEntry?[]> FindAsync(IReadOnlyList<string> names, CancellationToken cancellationToken);

    /// <summary>Starts to find entries of many calls in order. What an earlier call has read can answer a later one.</summary>
    public virtual Func<IReadOnlyList<string>, CancellationToken, Task<TreeEntry?[]>> StartFinding() => FindAsync;

    /// <summary>Finds the current state of an entry that was listed, in the version that it names.</summary>
    /// <returns>Null if there is none.</returns>
    /// <exception cref="TransferException">Thrown when it can't be looked up.</exception>
    public abstract Task<TreeEntry?> FindAgainAsync(TreeEntry entry, CancellationToken cancellationToken);

    /// <summary>Finds one entry. A link isn't one.</summary>
    /// <returns>Null if there is none.</returns>
    /// <exception cref="TransferException">Thrown when it can't be looked up.</exception>
    public async Task<TreeEntry?> FindAsync(string name, CancellationToken cancellationToken)
        => Single(await FindAsync([name], cancellationToken).ConfigureAwait(false));

    /// <summary>Gets the mark of the current content of an entry; null if it can't be recognized again.</summary>
    public abstract SyncMark? MarkOf(TreeEntry entry);

    /// <summary>Gets the current state of a file; null if there is none, and for an object.</summary>
    public virtual FileIdentity? StateOf(TreeEntry entry) => null;

    /// <summary>Returns the reason why an entry of the source can't have its name here; null if it can. It is called for each one in order.</summary>
    /// <param name="source">The entry.</param>
    /// <param name="isThere">Whether this side has the name.</param>
    public virtual string? RefuseName(TreeEntry source, bool isThere) => null;

    /// <summary>Returns what is in the place of an entry that isn't in the listing of this side; null if nothing is.</summary>
    public virtual string? FindClash(TreeEntry source) => null;

    /// <summary>Finds out whether a name that must not exist is there.</summary>
    /// <param name="name">The name.</param>
    /// <param name="isCheap">Whether it takes no more requests to find that out by writing it.</param>
    /// <param name="createsFolders">Whether the folders of the name can be created.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>Null if it wasn't looked up.</returns>
    /// <exception cref="TransferException">Thrown when it can't be looked up.</exception>
    public abstract ValueTask<ObjectPresence?> LookAsync(string name, bool isCheap, bool createsFolders, CancellationToken cancellationToken);

    /// <summary>Describes that this side lacks what the other one has.</summary>
    /// <param name="entry">The entry of the other side.</param>
    /// <returns>A description, and whether this side could have the entry.</returns>
    public abstract (string Reason, bool CanHave) DescribeMissing(TreeEntry entry);

    /// <summary>Describes that this side lacks what it had when it was read.</summary>
    public abstract string DescribeDeleted();

    /// <summary>Deletes entries that haven't changed since they were listed, and whose names the source still doesn't have.</summary>
    /// <param name="targets">The entries, in order.</param>
    /// <param name="review">Looks at the source again; null if it can't have changed, or doesn't matter.</param>
    /// <param name="ended">Called for each file or object, one at a time, with its error; null if it doesn't exist anymore.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public abstract Task DeleteAsync(IEnumerable<TreeEntry> targets, SourceReview? review, Action<TreeEntry, Exception?> ended, CancellationToken cancellationToken);

    /// <summary>Gets the requests of a deletion of entries that can be one batch.</summary>
    /// <param name="count">The number of entries.</param>
    public virtual StoreUsage EstimateDeletion(int count) => default;

    /// <summary>Gets the requests of finding entries that were not listed.</summary>
    /// <param name="count">The number of entries.</param>
    public virtual StoreUsage EstimateFinding(int count) => default;

    /// <summary>Gets the only entry that was found. A link isn't one.</summary>
    protected static TreeEntry? Single(TreeEntry?[] found)
    {
        if (found[0]?.Error is { } error)
        {
            ExceptionDispatchInfo.Throw(error);
        }

        return found[0] is { IsLink: true } ? null : found[0];
    }
}
