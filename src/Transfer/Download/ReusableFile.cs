using Microsoft.Win32.SafeHandles;
using Transfer.S3.Files;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>The file that a download replaces. Parts of the object that are in it at the same place are copied to the new file, and aren't requested.</summary>
internal sealed class ReusableFile : IDisposable
{
    /// <summary>The minimum size of a file that is compared. Parts of an object are larger, except the last one.</summary>
    private const long MinBytes = TransferDefaults.MinUploadPartSizeBytes;

    private readonly SourceFile _file;
    private readonly StoredPartList _stored;
    private readonly Dictionary<long, string> _checksums = [];

    private ReusableFile(SourceFile file, StoredPartList stored) => (_file, _stored) = (file, stored);

    /// <summary>Gets the object in the state that the parts belong to.</summary>
    public ObjectHead Head => _stored.Head;

    /// <summary>Opens the file, and finds the checksums of the object's parts.</summary>
    /// <returns>Null if there is no file, or if the store doesn't tell the checksums.</returns>
    public static async Task<ReusableFile?> OpenAsync(TransferRun run, DownloadRequest request, FileTarget target, CancellationToken cancellationToken)
    {
        if (!request.ReusesParts || request.Range is not null || request.IsInOnePiece || !target.Overwrite || request.Hint is { Length: < MinBytes } || TryOpen(target) is not { } file)
        {
            return null;
        }

        StoredPartList? stored = null;
        try
        {
            stored = await StoredPartList.FindAsync(run, request.Address, cancellationToken).ConfigureAwait(false);
            return stored is null ? null : new ReusableFile(file, stored);
        }
        finally
        {
            if (stored is null)
            {
                file.Dispose();
            }
        }
    }

    /// <summary>Adds the parts that can be in the file to those of an earlier run. Whether they are is known when they are copied.</summary>
    public IReadOnlyList<CompletedPart> AddTo(IReadOnlyList<CompletedPart> finished, long length, string? etag)
    {
        if (length != _stored.Head.Info.Length || !ETags.AreSame(etag, _stored.Head.Info.ETag))
        {
            return finished; // the object was replaced
        }

        List<CompletedPart> all = [.. finished];
        long available = _file.GetLength();
        int next = 0;
        long offset = 0;
        foreach (ListedPart part in _stored.Parts)
        {
            long end = offset + part.Length;
            while (next < finished.Count && finished[next].At + finished[next].Bytes <= offset)
            {
                next++;
            }

            if (end <= available && (next == finished.Count || finished[next].At >= end))
            {
                _checksums.Add(offset, part.Checksum!.Value);
                all.Add(new CompletedPart(offset, part.Length, string.Empty));
            }

            offset = end;
        }

        all.Sort(static (one, other) => one.At.CompareTo(other.At));
        return all;
    }

    /// <summary>Returns whether a part can be in the file, and isn't one of an earlier run.</summary>
    public bool Has(CompletedPart part) => part.Crc64Nvme.Length == 0 && _checksums.ContainsKey(part.At);

    /// <summary>Copies a part to the new file.</summary>
    /// <returns>Whether the part has its checksum. Otherwise, it must be fetched.</returns>
    public bool TryCopy(CompletedPart part, SafeFileHandle target, Span<byte> buffer, RangeChecksum checksum, CancellationToken cancellationToken)
    {
        using PartChecksum sum = new(_stored.Algorithm);
        while (checksum.Length < part.Bytes)
        {
            cancellationToken.ThrowIfCancellationRequested();
            Span<byte> room = buffer[..(int)Math.Min(buffer.Length, part.Bytes - checksum.Length)];
            int read = RandomAccess.Read(_file.Handle, room, part.At + checksum.Length);
            if (read == 0)
            {
                return false;
            }

            FileContent.Write(target, room[..read], part.At + checksum.Length);
            sum.Append(room[..read]);
            checksum.Append(room[..read]);
        }

        return sum.ToBase64() == _checksums[part.At];
    }

    public void Dispose() => _file.Dispose();

    private static SourceFile? TryOpen(FileTarget target)
    {
        try
        {
            string path = target.Folder?.GetPath(Path.GetFileName(target.Path)) ?? target.Path;
            if (!File.Exists(path) || new FileInfo(path).LinkTarget is not null || SourceFile.TryOpenFile(path, root: null, FileShare.ReadWrite | FileShare.Delete) is not { } file)
            {
                return null;
            }

            if (file.GetLength() >= MinBytes)
            {
                return file;
            }

            file.Dispose();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A file that can't be read can be replaced.
        }

        return null;
    }
}
