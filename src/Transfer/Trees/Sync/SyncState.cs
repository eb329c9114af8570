using Microsoft.Extensions.Logging;
using Microsoft.Win32.SafeHandles;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Resume;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>
/// The state of the last run between the same two sides: names whose content is known to be the same as long as both sides have the marks that are recorded. It saves
/// time, and a missing or damaged state costs time only.
/// </summary>
/// <remarks>New entries are sorted in pieces of bounded size, and merged into a new file at the end, which replaces the old one at once.</remarks>
internal sealed class SyncState : IDisposable
{
    /// <summary>The number of new entries to sort at the same time. They take about 20 MiB.</summary>
    private const int RunLength = 50_000;

    private readonly Lock _gate = new();
    private readonly LocalFolder _folder;
    private readonly string _name;
    private readonly ILogger _logger;
    private readonly int _runLength;
    private readonly List<FileStream> _runs = [];
    private readonly IEnumerator<SyncStateEntry>? _former;
    private readonly FileStream? _file;
    private List<SyncStateEntry> _new = [];
    private bool _hasFormer;
    private bool _isBroken;

    private SyncState(LocalFolder folder, string name, ILogger logger, int runLength)
    {
        _folder = folder;
        _name = name;
        _logger = logger;
        _runLength = runLength;
        _file = OpenFile();
        _former = _file is null ? null : SyncStateFile.Read(_file).GetEnumerator();
        _hasFormer = TryMove();
    }

    /// <summary>Opens the state of the last run, which can be empty.</summary>
    /// <param name="context">The client.</param>
    /// <param name="source">The identity of the source.</param>
    /// <param name="target">The identity of the target.</param>
    /// <param name="runLength">The number of new entries to sort at the same time.</param>
    /// <returns>Null if the client keeps no state, or if the directory can't be used.</returns>
    public static SyncState? TryOpen(ClientContext context, string source, string target, int runLength = RunLength)
    {
        if (context.Settings.StateDirectory is not { } path)
        {
            return null;
        }

        try
        {
            return new SyncState(LocalFolder.Open(path), $"{JournalName.Create("sync", source, target)}.sync", context.Logger, runLength);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Log.NoState(context.Logger, path, e.Message);
            return null;
        }
    }

    /// <summary>Finds the entry of a name. Names must be asked for in order.</summary>
    public SyncStateEntry? Find(string name)
    {
        int order = -1;
        while (_hasFormer && (order = KeyOrder.Instance.Compare(_former!.Current.Name, name)) < 0)
        {
            _hasFormer = TryMove();
        }

        return _hasFormer && order == 0 ? _former!.Current : null;
    }

    /// <summary>Records a name whose content is known to be the same.</summary>
    public void Add(SyncStateEntry entry)
    {
        lock (_gate)
        {
            if (_isBroken)
            {
                return;
            }

            _new.Add(entry);
            if (_new.Count >= _runLength)
            {
                Try(Flush);
            }
        }
    }

    /// <summary>Replaces the state of the last run with that of this one.</summary>
    /// <param name="isComplete">Whether both sides were read to their ends. Otherwise, what the last run recorded remains.</param>
    public void Save(bool isComplete)
    {
        lock (_gate)
        {
            if (!_isBroken && (isComplete || _new.Count + _runs.Count > 0))
            {
                Try(() => Publish(isComplete));
            }
        }
    }

    public void Dispose()
    {
        _former?.Dispose();
        _file?.Dispose();
        _runs.ForEach(static run => run.Dispose());
        _folder.Dispose();
    }

    private bool TryMove()
    {
        try
        {
            return _former?.MoveNext() == true;
        }
        catch (IOException)
        {
            return false; // the other names are compared again
        }
    }

    private void Try(Action write)
    {
        try
        {
            write();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _isBroken = true;
            _new = [];
            Log.NoState(_logger, _folder.Path, e.Message);
        }
    }

    private void Publish(bool isComplete)
    {
        Flush();
        using FileStream? former = isComplete ? null : OpenFile();
        using AtomicFile file = AtomicFile.CreateUnnamed(_folder, _name);
        using (WrittenFileStream stream = new(new SafeFileHandle(file.Handle.DangerousGetHandle(), ownsHandle: false), 64 * 1024))
        {
            SyncStateFile.Write(stream, Merge([.. _runs.Select(SyncStateFile.Read), .. former is null ? Array.Empty<IEnumerable<SyncStateEntry>>() : [SyncStateFile.Read(former)]]));
        }

        file.Publish(overwrite: true, new FileProperties(OperatingSystem.IsWindows() ? null : UnixFileMode.UserRead | UnixFileMode.UserWrite), null);
    }

    private void Flush()
    {
        if (_new.Count == 0)
        {
            return;
        }

        _new.Sort(static (x, y) => KeyOrder.Instance.Compare(x.Name, y.Name));
        FileStream run = TemporaryFile.Create(_folder.Path, "sync");
        _runs.Add(run);
        SyncStateFile.Write(run, _new);
        run.Position = 0;
        _new = [];
    }

    /// <summary>Merges sorted entries. For a name that several have, the first of them counts.</summary>
    private static IEnumerable<SyncStateEntry> Merge(IReadOnlyList<IEnumerable<SyncStateEntry>> sorted)
    {
        string? last = null;
        foreach (SyncStateEntry entry in SortedMerge.Merge(sorted, static entry => entry.Name))
        {
            if (entry.Name != last)
            {
                yield return entry;
            }

            last = entry.Name;
        }
    }

    private FileStream? OpenFile()
        => PrivateFile.TryOpen(_folder, _name, create: false, locked: false) is { } handle ? new FileStream(handle, FileAccess.Read, 64 * 1024) : null;
}
