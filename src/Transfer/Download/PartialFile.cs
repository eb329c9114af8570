using System.Text.Json;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.S3.Files;
using Transfer.S3.Resume;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>
/// The temporary file that a download is written to, and the journal next to it that lists the complete parts. Both survive a process that is killed,
/// and a transfer that ends early but can be resumed.
/// </summary>
/// <remarks>
/// A part is added to the journal, with its CRC-64, after it was written. Nothing is flushed: if a crash of the machine loses a part, its CRC shows
/// that when it is read back. Only objects of several parts have a journal, and only if a strong ETag shows whether they have changed.
/// </remarks>
internal sealed class PartialFile : IDisposable
{
    private readonly FileTarget _target;
    private readonly DownloadRequest _request;
    private readonly string _id;
    private readonly ILogger _logger;
    private readonly int _maxJournalBytes;
    private readonly List<ReadOnlyMemory<byte>> _found = [];
    private LocalFolder? _ownFolder;
    private Journal? _journal;
    private long _finishedBytes;
    private bool _isOpened;
    private bool _isKept;
    private int _isFullTold;

    /// <param name="target">The target file.</param>
    /// <param name="request">The download.</param>
    /// <param name="store">The store that the object is downloaded from.</param>
    /// <param name="logger">Receives a message when the journal is full.</param>
    /// <param name="maxJournalBytes">The maximum size of the journal.</param>
    public PartialFile(FileTarget target, DownloadRequest request, string store, ILogger? logger = null, int maxJournalBytes = Journal.MaxBytes)
    {
        _target = target;
        _request = request;
        _logger = logger ?? NullLogger.Instance;
        _maxJournalBytes = maxJournalBytes;
        _id = GetId(request, store);

        // Nothing is created before the store has responded.
        bool mayBeThere = IsWanted && (target.Folder is not null || Directory.Exists(Path.GetDirectoryName(target.Path)));
        if (mayBeThere && (_journal = Journal.TryOpen(Folder, JournalFile, create: false, maxJournalBytes)) is { } journal)
        {
            _found.AddRange(journal.Read());
        }
    }

    /// <summary>Gets a value that indicates whether an earlier run has left state that can be resumed if the object is unchanged.</summary>
    public bool IsFound => _found.Count > 1;

    /// <summary>Gets a value that indicates whether state is to be kept for a later run.</summary>
    public bool IsWanted => _request is { Resumes: true, IsInOnePiece: false };

    private LocalFolder Folder => _target.Folder ?? (_ownFolder ??= LocalFolder.Open(Path.GetDirectoryName(_target.Path)!));

    private string JournalFile => HiddenFileName.OfJournal(Path.GetFileName(_target.Path), _id);

    /// <summary>
    /// Removes the incomplete file and the journal of an earlier download of the same object to the same file, unless it is still running.
    /// </summary>
    /// <param name="folder">The folder of the file.</param>
    /// <param name="target">The target file.</param>
    /// <param name="request">The download.</param>
    /// <param name="store">The store that the object is downloaded from.</param>
    public static void Discard(LocalFolder folder, FileTarget target, DownloadRequest request, string store)
    {
        if (!folder.IsNew)
        {
            Discard(folder, Path.GetFileName(target.Path), GetId(request, store));
        }
    }

    /// <summary>Opens the existing temporary file, or creates a new one with all of its space.</summary>
    /// <param name="length">The length of the complete file, in bytes.</param>
    /// <param name="etag">The ETag of the object; null if it isn't known.</param>
    /// <param name="finished">The parts that an earlier run completed, in order. The content of the file must still be compared with them.</param>
    public AtomicFile Open(long length, string? etag, out IReadOnlyList<CompletedPart> finished)
    {
        string name = Path.GetFileName(_target.Path);
        finished = [];
        _isOpened = true;
        if (!IsWanted || length <= _request.PartSizeBytes || etag is null || ETags.IsWeak(etag))
        {
            // The old file is removed before space is allocated for the new one, because the disk may not have room for both. Its name ends with the lock of its
            // journal, so the new file has another one.
            if (_journal is { } former)
            {
                _journal = null;
                Remove(Folder, name, _id, former);
            }
            else if (!IsWanted)
            {
                Discard(Folder, name, _id);
            }

            return AtomicFile.Create(Folder, name, length);
        }

        _journal ??= Journal.TryOpen(Folder, JournalFile, create: true, _maxJournalBytes);
        if (_journal is null)
        {
            return AtomicFile.Create(Folder, name, length);
        }

        if (ReadParts(header => header == GetHeader(length, etag)) is { Count: > 0 } parts && AtomicFile.TryReopen(Folder, name, _id, _journal.Held) is { } there)
        {
            finished = parts;
            _finishedBytes = parts.Sum(part => part.Bytes);
            return there;
        }

        // The journal is emptied first: if the process is killed in between, no journal lists parts of a file that doesn't have them.
        _journal.Restart();
        AtomicFile file = AtomicFile.CreateAgain(Folder, name, _id, length, _journal.Held);
        _journal.Append(GetHeader(length, etag), DownloadJournalJson.Default.DownloadHeader);
        return file;
    }

    /// <summary>Records that a part was written.</summary>
    public void Add(long offset, RangeChecksum checksum)
    {
        if (_journal is not { } journal || checksum.Crc is var crc && crc.ToBase64(ChecksumAlgorithm.Crc64Nvme) is not { } value)
        {
            return;
        }

        if (journal.Append(new CompletedPart(offset, crc.Length, value), DownloadJournalJson.Default.CompletedPart))
        {
            Interlocked.Add(ref _finishedBytes, crc.Length);
        }
        else if (journal.IsFull && Interlocked.Exchange(ref _isFullTold, 1) == 0)
        {
            Resume.Log.JournalFull(_logger, _request.Address.Bucket, _request.Address.Key, Interlocked.Read(ref _finishedBytes));
        }
    }

    /// <summary>Records that a part that an earlier run listed isn't in the file.</summary>
    public void Lost(CompletedPart part) => Interlocked.Add(ref _finishedBytes, -part.Bytes);

    /// <summary>Keeps the state for a later run.</summary>
    /// <returns>The number of bytes that are kept; 0 if nothing is worth keeping.</returns>
    public long Keep()
    {
        long bytes = _journal is null ? 0
            : _isOpened ? Interlocked.Read(ref _finishedBytes)
            : ReadParts(header => header.Format == DownloadHeader.CurrentFormat).Sum(part => part.Bytes);
        _isKept = bytes > 0;
        return bytes;
    }

    public void Dispose()
    {
        if (!_isKept && _journal is { } journal)
        {
            if (_isOpened)
            {
                DeleteJournal();
            }
            else
            {
                Remove(Folder, Path.GetFileName(_target.Path), _id, journal); // the sink that would remove the file was not opened
            }
        }

        _journal?.Dispose();
        _ownFolder?.Dispose();
    }

    private static void Discard(LocalFolder folder, string name, string id)
    {
        if (Journal.TryOpen(folder, HiddenFileName.OfJournal(name, id), create: false) is { } journal)
        {
            Remove(folder, name, id, journal);
        }
    }

    private static string GetId(DownloadRequest request, string store)
        => JournalName.Create(store, request.Address.Bucket, request.Address.Key, request.Address.VersionId, request.Range?.ToString());

    /// <summary>Removes an unfinished file and then its journal, under the journal's lock.</summary>
    private static void Remove(LocalFolder folder, string name, string id, Journal journal)
    {
        try
        {
            AtomicFile.TryReopen(folder, name, id, journal.Held)?.Dispose();
            journal.Delete();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The next run discards a journal without a file.
            journal.Dispose();
        }
    }

    private void DeleteJournal()
    {
        try
        {
            _journal?.Delete();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The next run discards a journal without a file.
        }

        _journal = null;
    }

    private DownloadHeader GetHeader(long length, string etag) => new(DownloadHeader.CurrentFormat, _request.Address.Bucket, _request.Address.Key, etag, length);

    /// <summary>Reads the parts in the journal, in order and without overlaps, if the journal is about the wanted object.</summary>
    private List<CompletedPart> ReadParts(Predicate<DownloadHeader> isWanted)
    {
        List<CompletedPart> finished = [];
        try
        {
            if (_found.Count < 2 || JsonSerializer.Deserialize(_found[0].Span, DownloadJournalJson.Default.DownloadHeader) is not { } header || !isWanted(header))
            {
                return finished;
            }

            long end = 0;
            foreach (CompletedPart part in _found.Skip(1).Select(line => JsonSerializer.Deserialize(line.Span, DownloadJournalJson.Default.CompletedPart)!)
                .Reverse().OrderBy(part => part.At)) // a part that was fetched again is listed twice, and the later line is valid
            {
                if (part.At >= end && part.Bytes > 0 && part.Bytes <= header.Bytes - part.At)
                {
                    finished.Add(part);
                    end = part.At + part.Bytes;
                }
            }
        }
        catch (JsonException)
        {
            finished.Clear(); // another version of this library wrote it
        }

        return finished;
    }
}
