using System.Net;
using System.Runtime.CompilerServices;
using Transfer.S3.Concurrency;
using Transfer.S3.Download;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Verify;
using Transfer.S3.Wire;

namespace Transfer.S3.Directories;

/// <summary>
/// Compares the files in a directory with the objects under a prefix. The directory and the listing are read side by side in the same order. What exists on both
/// sides is compared as a single file is, with many comparisons at the same time.
/// </summary>
internal sealed partial class DirectoryVerify
{
    /// <summary>The number of unreadable directories to remember before those that come earlier in the order are forgotten.</summary>
    public const int MaxUnread = 1_000;

    private readonly ClientSettings _settings;
    private readonly ObjectAddress _address;
    private readonly string _directory;
    private readonly VerifyDirectoryOptions _options;
    private readonly DirectoryOptions _selection;
    private readonly PathFilter _filter;
    private readonly TagEvidence _tags;
    private readonly Place _from;
    private readonly Place _to;

    private DirectoryVerify(ClientContext context, string directory, ObjectAddress address, VerifyDirectoryOptions options, DirectoryOptions selection)
    {
        _settings = context.Settings;
        _address = address;
        _directory = Path.GetFullPath(directory);
        _options = options;
        _selection = selection;
        _filter = new PathFilter(selection);
        _tags = new TagEvidence(context.Settings.UploadPartSizeBytes);
        (_from, _to) = (Place.InDirectory(_directory), Place.Of(address));
    }

    public ObjectAddress Address => _address;

    /// <summary>Validates the arguments and options.</summary>
    public static DirectoryVerify Plan(ClientContext context, string directory, string bucket, string prefix, VerifyDirectoryOptions options)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(directory);
        OptionGuard.Bucket(bucket);
        DirectoryOptions selection = new()
        {
            Include = options.Include,
            Exclude = options.Exclude,
            Filter = options.Filter,
            IncludeHidden = options.IncludeHidden,
            SymbolicLinks = options.SymbolicLinks,
            MaxConcurrentObjects = options.MaxConcurrentObjects,
        };
        DirectoryGuard.Check(selection);
        SelectedObjects.Check(options.Keys is not null, options.Filter, options.AsOf);
        ObjectAddress address = new(bucket, KeyPrefix.Normalize(prefix), null, new ReadAccess(options.RequesterPays, options.CustomerKey));
        return new DirectoryVerify(context, directory, address, options, selection);
    }

    public async Task<DirectoryResult> RunAsync(TransferRun whole, CancellationToken cancellationToken)
    {
        if (!Directory.Exists(_directory))
        {
            throw Failed(_address.Key, $"'{_directory}' is not a directory. Specify the directory to compare.");
        }

        ManyTally totals = new(FailurePolicy.Continue, _options.ObjectEnded, whole.Reporter);
        using SemaphoreSlim reading = new(_settings.MaxOpenStreams);
        ObjectWorkQueue<Pair> workQueue = new(
            whole.Client.Queue,
            RequestDirection.Download,
            _options.MaxConcurrentObjects ?? _settings.MaxConcurrency,
            isFixed: true, // HEAD requests alone don't show how many requests the link needs
            pair => pair.File.Length > _settings.UploadPartSizeBytes,
            (pair, token) => CompareAsync(pair, reading, totals, whole, token));
        IAsyncEnumerable<Pair> pairs = _options.Keys is { } keys ? FindAsync(keys, totals, whole, cancellationToken) : FindAsync(totals, whole, cancellationToken);
        await workQueue.RunAsync(pairs, totals.FoundAll, cancellationToken).ConfigureAwait(false);
        return totals.ToResult();
    }

    /// <summary>Reads both sides, and reports files and objects that exist on one side only.</summary>
    private async IAsyncEnumerable<Pair> FindAsync(ManyTally totals, TransferRun whole, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the caller must not wait for the disk
        HashSet<string> unread = new(StringComparer.Ordinal);
        SubtreeShield links = new();
        LeftOutFiles leftOut = new(whole.Client.Logger);
        await foreach ((LocalFile? here, NamedObject? there) in SortedMerge.MergeAsync(
            Walk(new OwnEntries(_settings), leftOut).ToAsyncEnumerable(),
            static file => file.Name,
            ListAsync(totals, whole, cancellationToken),
            static item => item.Name,
            cancellationToken).ConfigureAwait(false))
        {
            if (here is { LeftOut: not LeftOut.None } link)
            {
                if (link.LeftOut is LeftOut.Link or LeftOut.DanglingLink)
                {
                    links.Add(link.Name);
                }

                continue; // an object of this name isn't compared either
            }

            if (here is null && there is { } stored && (links.Covers(stored.Name) || IsOfTransfer(stored.Name)))
            {
                leftOut.Note(IsOfTransfer(stored.Name) ? LeftOut.TransferFile : LeftOut.Link, stored.Listed.Key);
                continue;
            }

            if (here is not { Error: not null } && !(here is { } known && _filter.TakesProperties(known)) && !(there is { } other && _filter.TakesProperties(other.Listed)))
            {
                continue; // paths are selected on each side, and properties for both together
            }

            if (here is { Error: { } error } failed)
            {
                if (unread.Count >= MaxUnread)
                {
                    // Names are in order, so there are no more names under these.
                    unread.RemoveWhere(folder => KeyOrder.Instance.Compare(failed.Name, folder) > 0 && !failed.Name.StartsWith(folder, StringComparison.Ordinal));
                }

                unread.Add(failed.IsFolder ? failed.Name : failed.Name + "/"); // a link can lead to a directory that can't be accessed
                totals.Refused(NotRead(failed, $"'{failed.Path}' could not be read: {error.Message}", error));
            }
            else if (here is { } file)
            {
                if (there is not { } both)
                {
                    OnlyHere(file, totals);
                }
                else if (!file.IsFolder)
                {
                    totals.Found(file.Length);
                    yield return new Pair(file, both.Listed);
                }
                else if (both.Listed.Length == 0)
                {
                    totals.Refused(Compared(both.Name, OutcomeStatus.Same));
                }
                else
                {
                    totals.Refused(OnlyThere(both));
                }
            }
            else if (there is { } single)
            {
                totals.Refused(FolderIn(unread, single.Name) is { } folder
                    ? Compared(single.Name, OutcomeStatus.NotCompared, $"the directory of its file, '{folder}', could not be read")
                    : OnlyThere(single));
            }
        }

        leftOut.LogCount();
    }

    private static bool IsOfTransfer(string name) => HiddenFileName.IsMatch(name.AsSpan(name.LastIndexOf('/') + 1));

    /// <summary>Gets the first of the directories above a name that a set contains.</summary>
    private static string? FolderIn(HashSet<string> folders, string name)
    {
        for (int slash = folders.Count == 0 ? -1 : name.IndexOf('/', StringComparison.Ordinal); slash >= 0; slash = name.IndexOf('/', slash + 1))
        {
            if (folders.Contains(name[..(slash + 1)]))
            {
                return name[..(slash + 1)];
            }
        }

        return null;
    }

    private IEnumerable<LocalFile> Walk(OwnEntries own, LeftOutFiles leftOut)
    {
        foreach (LocalFile file in new SortedFileTree(_directory, _selection, prunes: _filter.Prunes, tellsLinks: true, own: own).Walk())
        {
            if (file.LeftOut != LeftOut.None)
            {
                if (_filter.Takes(file.Name))
                {
                    leftOut.Note(file.LeftOut, file.Path);
                }

                yield return file;
                continue;
            }

            if (file.Name.Length == 0)
            {
                throw Failed(_address.Key, $"'{_directory}' could not be read: {file.Error!.Message}", file.Error);
            }

            // The content of a directory that can't be read may be selected, because an excluded one isn't opened.
            if ((file.Error is not null && file.IsFolder) || _filter.Takes(file.Name))
            {
                yield return file;
            }
        }
    }

    private async IAsyncEnumerable<NamedObject> ListAsync(ManyTally totals, TransferRun whole, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        string prefix = _address.Key;
        ListQuery query = new(_address.Bucket, prefix, _address.Access) { AsOf = _options.AsOf };
        await foreach (ListedObject listed in OrderedListing.ReadAsync(whole, query, _filter, item => totals.Refused(NotUnder(query, item, isInList: false)), cancellationToken).ConfigureAwait(false))
        {
            // The prefix itself is an object that consoles create to show a folder, and the directory exists.
            if (listed.Key.Length > prefix.Length && _filter.Takes(listed.Key[prefix.Length..]))
            {
                yield return new NamedObject(listed.Key[prefix.Length..], listed);
            }
        }
    }

    private static Outcome NotUnder(ListQuery query, ListedObject item, bool isInList)
    {
        Outcome outcome = SelectedObjects.NotUnder(query, item, isInList);
        return outcome with { Operation = ObjectOperation.Compare, From = null, To = outcome.From, Reason = outcome.Error!.Message };
    }

    private Outcome Compared(string name, OutcomeStatus status, string? reason = null)
        => new() { Operation = ObjectOperation.Compare, Status = status, Name = name, Bytes = 0, Reason = reason, From = _from, To = _to };

    private void OnlyHere(LocalFile file, ManyTally totals)
    {
        if (LocalTarget.IsSpecial(file.Path))
        {
            totals.Refused(NotRead(file, $"'{file.Path}' is a device or a pipe. Only files can be compared.", null));
        }
        else if (!file.IsFolder)
        {
            totals.Refused(Compared(file.Name, OutcomeStatus.OnlyAtSource, "there is no such object"));
        }
    }

    private Outcome OnlyThere(NamedObject item)
    {
        if (!KeyPath.TrySplit(item.Name, OperatingSystem.IsWindows(), allowsSpecial: false, out _, out string? reason))
        {
            return Compared(item.Name, OutcomeStatus.OnlyAtTarget, $"the key can't be a file: {reason}") with { From = null };
        }

        string path = Path.Combine(_directory, item.Name);
        string text = item.IsFolder
            ? item.Listed.Length > 0 ? $"its name ends in '/' like that of a folder, but it has {item.Listed.Length} bytes"
                : File.Exists(path[..^1]) ? "it represents a folder, but there is a file"
                : "there is no such directory"
            : Directory.Exists(path) ? "there is a directory instead of a file"
            : File.Exists(path) ? "the file has a name that differs by case or Unicode normalization, is excluded, or was created during the comparison"
            : "there is no such file";
        return Compared(item.Name, OutcomeStatus.OnlyAtTarget, text);
    }

    private async Task CompareAsync(Pair pair, SemaphoreSlim reading, ManyTally totals, TransferRun whole, CancellationToken cancellationToken)
    {
        (LocalFile file, ListedObject listed) = pair;
        ObjectAddress address = _address with { Key = listed.Key, VersionId = listed.VersionId };
        string? etag = _tags.Of(_address, listed.ETag);
        VerifyRequest request = new(file.Path, address, _options.ReadContent)
        {
            Listed = _options.Keys is null ? new KnownObject(listed.Length, etag) : null, // a list of keys has no lengths
            Root = _selection.SymbolicLinks == SymbolicLinks.Follow ? null : _directory,
            Reading = reading,
        };
        TransferRun run = whole.Client.BeginCounting(address.Bucket, address.Key, whole);
        try
        {
            VerifyResult result = await new ObjectComparer(run, request).RunAsync(cancellationToken).ConfigureAwait(false);
            if (result.IsSame)
            {
                _tags.Learn(result, etag);
            }

            OutcomeStatus status = result.IsSame ? OutcomeStatus.Same : result.Method == VerifyMethod.None ? OutcomeStatus.NotCompared : OutcomeStatus.Different;
            totals.Ended(Compared(file.Name, status, result.Difference) with { Bytes = result.Bytes });
        }
        catch (TransferException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            totals.Ended(Compared(file.Name, OutcomeStatus.OnlyAtSource, "the object was deleted after it was listed"));
        }
        catch (TransferException e) when (e.InnerException is FileNotFoundException or DirectoryNotFoundException)
        {
            totals.Ended(Compared(file.Name, OutcomeStatus.OnlyAtTarget, "the file was deleted after its directory was read"));
        }
        catch (Exception e) when (e is TransferException or IOException or UnauthorizedAccessException)
        {
            totals.Ended(Compared(file.Name, OutcomeStatus.Failed, e.Message) with { Error = e });
        }

        whole.Reporter.Bytes.Add(Math.Max(0, file.Length - run.Reporter.Bytes.Transferred)); // bytes that were read from the store are already counted
    }

    private Outcome NotRead(LocalFile file, string text, Exception? error)
        => Compared(file.Name, OutcomeStatus.Failed, text) with { Error = Failed(_address.Key + file.Name, text, error) };

    private TransferException Failed(string key, string text, Exception? error = null) => new(text, error) { Bucket = _address.Bucket, Key = key };

    private readonly record struct Pair(LocalFile File, ListedObject Listed);
}
