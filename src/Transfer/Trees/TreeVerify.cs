using System.Net;
using System.Runtime.CompilerServices;
using Transfer.S3.Concurrency;
using Transfer.S3.Requests;

namespace Transfer.S3.Trees;

/// <summary>
/// Compares two sides, which are read in the same order. What exists on both is compared as one file or object is, with many comparisons at the same time.
/// </summary>
/// <param name="pair">The sides.</param>
/// <param name="options">The options.</param>
internal sealed class TreeVerify(Pairing pair, VerifyDirectoryOptions options)
{
    /// <summary>Validates the places and options. The caller disposes the result.</summary>
    public static Pairing Plan(ClientContext client, ClientContext? other, Place source, Place target, VerifyDirectoryOptions options)
    {
        TreeGuard.Check(options);
        DirectoryOptions everyone = new()
        {
            Include = options.Include,
            Exclude = options.Exclude,
            Filter = options.Filter,
            AsOf = options.AsOf,
            IncludeHidden = options.IncludeHidden,
            SymbolicLinks = options.SymbolicLinks,
            MaxConcurrentObjects = options.MaxConcurrentObjects,
            Download = new DownloadOptions { RequesterPays = options.RequesterPays, CustomerKey = options.CustomerKey },
            Upload = new UploadOptions { RequesterPays = options.RequesterPays, CustomerKey = options.CustomerKey },
        };
        return Pairing.Choose(client, other, source, target, everyone, PairingUse.Verify);
    }

    /// <param name="reading">The call at the source; the same as <paramref name="whole"/> if only one store is used.</param>
    /// <param name="whole">The operation.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<DirectoryResult> RunAsync(TransferRun reading, TransferRun whole, CancellationToken cancellationToken)
    {
        pair.Begin(reading, whole);
        await pair.CheckAsync(cancellationToken).ConfigureAwait(false);
        ManyTally tally = new(FailurePolicy.Continue, options.ObjectEnded, whole.Reporter);
        ObjectWorkQueue<(TreeEntry Source, TreeEntry Target)> queue = new(
            whole.Client.Queue,
            RequestDirection.Download,
            options.MaxConcurrentObjects ?? whole.Client.Settings.MaxConcurrency,
            isFixed: true, // HEAD requests alone don't show how many requests the link needs
            both => both.Source.Length > whole.Client.Settings.UploadPartSizeBytes,
            (both, token) => CompareAsync(both.Source, both.Target, tally, whole, token));
        IAsyncEnumerable<(TreeEntry Source, TreeEntry Target)> pairs = options.Keys is { } keys ? FindAsync(keys, tally, cancellationToken) : FindAsync(tally, cancellationToken);
        await queue.RunAsync(pairs, tally.FoundAll, cancellationToken).ConfigureAwait(false);
        return tally.ToResult(reading.Reporter);
    }

    /// <summary>Reads both sides, and reports what exists on one of them only.</summary>
    private async IAsyncEnumerable<(TreeEntry Source, TreeEntry Target)> FindAsync(ManyTally tally, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        SubtreeShield links = new();
        SubtreeShield unread = new();
        await foreach ((TreeEntry? source, TreeEntry? target) in pair.ReadAsync((side, item) => tally.Refused(NotUnder(side, item, isInList: false)), cancellationToken).ConfigureAwait(false))
        {
            TreeEntry entry = source ?? target!;
            bool isUnderLink = links.Covers(entry.Name);
            string? unreadFolder = unread.Find(entry.Name);
            if (source is { LeftOut: not LeftOut.None } || target is { LeftOut: not LeftOut.None })
            {
                if (source?.IsLink == true || target?.IsLink == true)
                {
                    links.Add(entry.Name); // what the other side has under this name isn't compared either
                }
            }
            else if ((source?.Error ?? target?.Error) is { } error)
            {
                TreeEntry failed = source?.Error is null ? target! : source;
                unread.Add(entry.Name); // a link can lead to a directory that can't be accessed
                if (pair.CanBeSelected(failed))
                {
                    tally.Refused(Failed(failed, pair.NotRead(failed, error)));
                }
            }
            else if (isUnderLink || !pair.Filter.Takes(entry.Name)
                || !(source is not null && pair.HasSelectedProperties(source)) && !(target is not null && pair.HasSelectedProperties(target)))
            {
                continue; // paths are selected on each side, and properties for both together
            }
            else if (source is null || target is null)
            {
                Report(entry, source is null ? pair.Source : pair.Target, unreadFolder, tally);
            }
            else if (!entry.IsFolder && !target.IsFolder)
            {
                tally.Found(source.Length);
                yield return (source, target);
            }
            else if (source.Length + target.Length == 0)
            {
                tally.Refused(Compared(entry, OutcomeStatus.Same));
            }
            else
            {
                Report(source.IsFolder ? target : source, source.IsFolder ? pair.Source : pair.Target, null, tally);
            }
        }
    }

    /// <summary>Looks for both sides of a list of keys.</summary>
    private async IAsyncEnumerable<(TreeEntry Source, TreeEntry Target)> FindAsync(IAsyncEnumerable<string> keys, ManyTally tally, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        StoreSide listed = pair.Source as StoreSide ?? (StoreSide)pair.Target;
        FolderSide? folder = pair.Source as FolderSide ?? pair.Target as FolderSide;
        SideReading list = new(pair.Filter) { IsOrdered = false, Keys = SelectedObjects.AsKeysAsync(keys), Outside = item => tally.Refused(NotUnder(listed, item, isInList: true)) };
        await foreach (TreeEntry entry in listed.ReadAsync(list, cancellationToken).ConfigureAwait(false))
        {
            if (!pair.Filter.Takes(entry.Name))
            {
                continue;
            }

            TreeEntry? other = folder is null ? entry : (await folder.FindAsync([entry.Name], cancellationToken).ConfigureAwait(false))[0];
            if (other is null or { IsLink: true })
            {
                Report(entry, folder!, null, tally);
            }
            else if (other.Error is { } error)
            {
                tally.Refused(Failed(other, pair.NotRead(other, error)));
            }
            else if (other.IsFolder)
            {
                tally.Refused(Compared(entry, OutcomeStatus.Same));
            }
            else
            {
                tally.Found(other.Length);
                yield return pair.Source == listed ? (entry, other) : (other, entry);
            }
        }
    }

    /// <summary>Reports what a side doesn't have.</summary>
    private void Report(TreeEntry entry, Side missing, string? unreadFolder, ManyTally tally)
    {
        OutcomeStatus status = missing == pair.Target ? OutcomeStatus.OnlyAtSource : OutcomeStatus.OnlyAtTarget;
        if (unreadFolder is not null)
        {
            tally.Refused(Compared(entry, OutcomeStatus.NotCompared, $"the directory of its file, '{unreadFolder}', could not be read"));
        }
        else if (entry is { Path: { } path, IsFolder: false } && Files.LocalTarget.IsSpecial(path))
        {
            tally.Refused(Failed(entry, new TransferException($"'{path}' is a device or a pipe. Only files can be compared.") { Bucket = pair.Address.Bucket, Key = pair.Address.Key + entry.Name }));
        }
        else if (!entry.IsFolder)
        {
            (string reason, bool canHave) = missing.DescribeMissing(entry);
            Outcome outcome = Compared(entry, status, reason);
            tally.Refused(canHave ? outcome : missing == pair.Target ? outcome with { To = null } : outcome with { From = null });
        }
    }

    private async Task CompareAsync(TreeEntry source, TreeEntry target, ManyTally tally, TransferRun whole, CancellationToken cancellationToken)
    {
        long read = 0;
        Outcome outcome;
        try
        {
            (VerifyResult result, read) = await pair.VerifyAsync(source, target, options.ReadContent, cancellationToken).ConfigureAwait(false);
            OutcomeStatus status = result.IsSame ? OutcomeStatus.Same : result.Method == VerifyMethod.None ? OutcomeStatus.NotCompared : OutcomeStatus.Different;
            outcome = Compared(source, status, result.Difference) with { Bytes = result.Bytes };
        }
        catch (TransferException e) when (FindMissing(e) is { } missing)
        {
            outcome = Compared(source, missing == pair.Target ? OutcomeStatus.OnlyAtSource : OutcomeStatus.OnlyAtTarget, missing.DescribeDeleted());
        }
        catch (Exception e) when (TreeSync.IsOfObject(e))
        {
            outcome = Failed(source, e);
        }

        tally.Ended(outcome);
        whole.Reporter.Bytes.Add(Math.Max(0, source.Length - read)); // bytes that were read from the store are already counted
    }

    /// <summary>Gets the side that lacks what was compared; null if the error is another one.</summary>
    private Side? FindMissing(TransferException error)
        => error.InnerException is FileNotFoundException or DirectoryNotFoundException ? pair.Source as FolderSide ?? (Side)pair.Target
            : error.StatusCode != HttpStatusCode.NotFound ? null
            : pair is StorePairing ? (error.CopySide == CopySide.Target ? pair.Target : pair.Source)
            : pair.Source as StoreSide ?? (Side)pair.Target;

    private Outcome Compared(TreeEntry entry, OutcomeStatus status, string? reason = null)
        => pair.Decide(ObjectOperation.Compare, status, entry, reason) with { Bytes = 0 };

    private Outcome Failed(TreeEntry entry, Exception error) => Compared(entry, OutcomeStatus.Failed, error.Message) with { Error = error };

    private Outcome NotUnder(Side side, ListedObject item, bool isInList)
    {
        Outcome outcome = SelectedObjects.NotUnder(((StoreSide)side).Query, item, isInList);
        outcome = outcome with { Operation = ObjectOperation.Compare, Reason = outcome.Error!.Message };
        return side == pair.Source ? outcome : outcome with { From = null, To = outcome.From };
    }
}
