using System.Text.Json;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Resume;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>
/// The journal of a publication: which uploads were created, what completes them, and whether the first one was about to be completed. Until then, the next run
/// aborts all of them. From then on, the next run completes them.
/// </summary>
/// <remarks>There is one for each target. It takes about 1 KB for each object, and at most 2 GiB. It is locked while it is open.</remarks>
internal sealed class PublicationJournal : IDisposable
{
    /// <summary>The number of parts in a line, which are at most 32 KiB.</summary>
    private const int PartsOfLine = 128;

    /// <summary>The number of ended items in a line. Those of a line that a crash prevented are looked up, as are those whose requests were in flight.</summary>
    private const int EndedOfLine = 64;

    private static readonly byte[] PartsStart = "{\"parts\":"u8.ToArray();
    private static readonly byte[] ItemStart = "{\"item\":"u8.ToArray(); // so that the other lines don't have to be parsed
    private readonly LocalFolder _folder;
    private readonly Journal _journal;
    private readonly Dictionary<string, DateTimeOffset> _announced = [];
    private readonly List<bool> _hasEnded = [];
    private readonly List<long> _ended = []; // not written yet

    private PublicationJournal(LocalFolder folder, Journal journal)
    {
        (_folder, _journal) = (folder, journal);
        bool isKnown = true;
        _journal.Scan(json => isKnown = isKnown && Note(Parse(json)));
        if (_journal.Failure is { } failure)
        {
            throw failure; // a line that can't be read may be the one that commits
        }

        if (!isKnown)
        {
            throw new TransferException($"The journal of an earlier publication, {folder.Path}, was written by another version. Run the same command with that version first.");
        }
    }

    /// <summary>Gets a value that indicates whether the first object may have been published.</summary>
    public bool IsCommitted { get; private set; }

    /// <summary>Gets a value that indicates whether an item of this publication, also in an earlier run, could not be published.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>Gets the number of items.</summary>
    public long Count => _hasEnded.Count;

    /// <summary>Gets the number of items that haven't ended.</summary>
    public long Left
    {
        get
        {
            lock (_hasEnded)
            {
                return _hasEnded.LongCount(static hasEnded => !hasEnded);
            }
        }
    }

    /// <summary>Gets the keys of uploads that were about to be created, and whose IDs aren't known, with the times of that.</summary>
    public IReadOnlyDictionary<string, DateTimeOffset> Announced
    {
        get
        {
            lock (_announced)
            {
                return new Dictionary<string, DateTimeOffset>(_announced);
            }
        }
    }

    /// <summary>Returns whether an earlier publication to a prefix has not ended.</summary>
    public static bool Exists(ClientContext client, ObjectAddress prefix) => client.Settings.StateDirectory is { } path && File.Exists(Path.Combine(path, GetName(client, prefix)));

    /// <summary>Opens the journal of the publications to a prefix, with what an earlier run has left.</summary>
    /// <exception cref="TransferException">Thrown when there can be no journal, or when another run uses it.</exception>
    public static PublicationJournal Open(ClientContext client, ObjectAddress prefix)
    {
        if (client.Settings.StateDirectory is not { } path)
        {
            throw new TransferException($"{prefix} can't be published all at once, because the process has no directory for the journal. Set {nameof(TransferClientOptions.StateDirectory)}.");
        }

        LocalFolder? folder = null;
        Journal? journal = null;
        try
        {
            folder = UploadJournal.OpenFolder(path);
            string name = GetName(client, prefix);
            journal = Journal.TryOpen(folder, name, create: true, int.MaxValue);
            return journal is not null ? new PublicationJournal(folder, journal)
                : throw new TransferException($"{prefix} can't be synchronized, because another process publishes all of its objects at once now, or because '{Path.Combine(path, name)}' belongs to another user.");
        }
        catch (Exception e)
        {
            journal?.Dispose();
            folder?.Dispose();
            throw e is IOException or UnauthorizedAccessException ? new TransferException($"{prefix} can't be published all at once, because the journal can't be opened: {e.Message}", e) : e;
        }
    }

    /// <summary>Begins a new publication. If that can't be written, <see cref="Stage"/> fails: the former one has ended, so its caller must not.</summary>
    public void Begin()
    {
        lock (_announced)
        {
            _announced.Clear();
        }

        _hasEnded.Clear();
        _ended.Clear();
        (IsCommitted, HasFailed) = (false, false);
        _journal.Restart();
        _journal.Append(new PublicationLine { Format = PublicationLine.CurrentFormat }, PublicationJson.Default.PublicationLine);
    }

    /// <summary>Records that an upload is about to be created. If that can't be written, <see cref="Stage"/> fails.</summary>
    public void Announce(string key, DateTimeOffset time) => Add(new PublicationLine { Key = key, Announced = time });

    /// <summary>Records the ID of an upload. If that can't be written, <see cref="Stage"/> fails.</summary>
    public void Created(string key, string uploadId) => Add(new PublicationLine { Key = key, UploadId = uploadId });

    /// <summary>Records what completes an upload.</summary>
    public void Stage(StagedItem item)
    {
        IReadOnlyList<UploadedPart> parts = item.Upload.Parts;
        lock (_hasEnded)
        {
            foreach (UploadedPart[] some in parts.Count <= PartsOfLine ? [] : parts.Chunk(PartsOfLine))
            {
                Append(new PublicationLine { Parts = some });
            }

            Append(new PublicationLine { Item = parts.Count <= PartsOfLine ? item : item with { Upload = item.Upload with { Parts = [] } } });
            _hasEnded.Add(false);
        }
    }

    /// <summary>Records that all items are going to be published, however often that is interrupted.</summary>
    public void Commit()
    {
        Append(new PublicationLine { Commits = true });
        _journal.FlushToDisk();
        ThrowIfBroken();
        IsCommitted = true;
    }

    /// <summary>Records that an item can't be published. The caller also calls <see cref="End"/>.</summary>
    public void Fail()
    {
        if (!HasFailed)
        {
            HasFailed = true;
            _journal.Append(new PublicationLine { Fails = true }, PublicationJson.Default.PublicationLine);
        }
    }

    /// <summary>Records that an item was published, or can't be.</summary>
    public void End(long number)
    {
        lock (_hasEnded)
        {
            _hasEnded[(int)number] = true;
            _ended.Add(number);
            if (_ended.Count == EndedOfLine)
            {
                WriteEnded();
            }
        }
    }

    /// <summary>Reads the items that haven't ended, in the order in which they were staged, with their numbers.</summary>
    public IEnumerable<(long Number, StagedItem Item)> ReadItems()
    {
        List<UploadedPart> parts = [];
        int number = 0;
        foreach (ReadOnlyMemory<byte> json in _journal.ReadAgain())
        {
            if (json.Span.StartsWith(PartsStart))
            {
                parts.AddRange(Parse(json)!.Parts!);
            }
            else if (json.Span.StartsWith(ItemStart))
            {
                if (!HasEnded(number))
                {
                    StagedItem item = Parse(json)!.Item!;
                    yield return (number, parts.Count == 0 ? item : item with { Upload = item.Upload with { Parts = [.. parts] } });
                }

                parts.Clear();
                number++;
            }
        }
    }

    /// <summary>Reads the uploads whose IDs are known.</summary>
    public IEnumerable<(string Key, string UploadId)> ReadUploads()
        => _journal.ReadAgain().Select(static json => Parse(json)!).Where(static line => line.UploadId is not null).Select(static line => (line.Key!, line.UploadId!));

    /// <summary>Deletes the journal.</summary>
    public void Delete()
    {
        _journal.TryDelete(); // otherwise, the next run finds that there is nothing left to do
    }

    public void Dispose()
    {
        lock (_hasEnded)
        {
            WriteEnded();
        }

        _journal.Dispose();
        _folder.Dispose();
    }

    private static string GetName(ClientContext client, ObjectAddress prefix) => $"publish-{JournalName.Create(client.Store, prefix.Bucket, prefix.Key)}.journal";

    private static PublicationLine? Parse(ReadOnlyMemory<byte> json)
    {
        try
        {
            return JsonSerializer.Deserialize(json.Span, PublicationJson.Default.PublicationLine);
        }
        catch (JsonException)
        {
            return null; // of another version
        }
    }

    private bool HasEnded(int number)
    {
        lock (_hasEnded)
        {
            return _hasEnded[number];
        }
    }

    private void WriteEnded()
    {
        if (_ended.Count > 0)
        {
            _journal.Append(new PublicationLine { Ended = _ended }, PublicationJson.Default.PublicationLine); // otherwise, the objects tell
            _ended.Clear();
        }
    }

    private bool Note(PublicationLine? line)
    {
        switch (line)
        {
            case null or { Format: not (null or PublicationLine.CurrentFormat) }:
                return false;
            case { Key: { } key, UploadId: null, Announced: { } time }:
                _announced[key] = time;
                break;
            case { Key: { } key }:
                _announced.Remove(key);
                break;
            case { Item: not null }:
                _hasEnded.Add(false);
                break;
            case { Commits: true }:
                IsCommitted = true;
                break;
            case { Fails: true }:
                HasFailed = true;
                break;
            case { Ended: { } numbers }:
                foreach (long number in numbers.Where(number => number < _hasEnded.Count))
                {
                    _hasEnded[(int)number] = true;
                }

                break;
        }

        return true;
    }

    /// <summary>Writes a line of an upload, and notes it, so that this run finds an upload whose ID it didn't learn, as the next one does.</summary>
    private void Add(PublicationLine line)
    {
        _journal.Append(line, PublicationJson.Default.PublicationLine);
        lock (_announced)
        {
            Note(line);
        }
    }

    private void Append(PublicationLine line)
    {
        _journal.Append(line, PublicationJson.Default.PublicationLine);
        ThrowIfBroken();
    }

    /// <summary>Ends a publication that could not be completed or aborted after a crash.</summary>
    private void ThrowIfBroken()
    {
        if (_journal.IsFull || _journal.Failure is not null)
        {
            throw new TransferException($"Nothing was published, because the journal can't be written: {_journal.Failure?.Message ?? "it would be larger than 2 GiB"}", _journal.Failure);
        }
    }
}
