using System.Text.Json;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Resume;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>The journal of a multipart upload from a source that can be recognized: its ID, and the parts that the store has received.</summary>
/// <remarks>
/// It isn't in the directory of the source, which can be read-only, but in a directory of the user. Its name is made of the store, the bucket, and the key.
/// </remarks>
internal sealed class UploadJournal : IDisposable
{
    /// <summary>
    /// The maximum number of uploads that are remembered until they can be aborted. Without the right to abort, each change of the file would add one.
    /// </summary>
    private const int MaxUnaborted = 16;

    private readonly LocalFolder _folder;
    private readonly Journal _journal;
    private readonly UploadHeader? _header;
    private readonly List<string> _unaborted;

    /// <param name="folder">The directory, which is disposed together with this object.</param>
    /// <param name="journal">The lines, which are disposed together with this object.</param>
    /// <param name="header">The current upload; null if it has no journal.</param>
    internal UploadJournal(LocalFolder folder, Journal journal, UploadHeader? header)
    {
        _folder = folder;
        _journal = journal;
        _header = header;
        ResumedUpload? found = Parse(journal.Read());
        Former = found?.Header.UploadId.Length > 0 ? found : null;
        Announced = Former is null ? found?.Header.Begun : null;
        _unaborted = [.. found?.Header.Unaborted ?? []];
    }

    /// <summary>Gets the earlier upload to the same key; null if there is none or it can't be read.</summary>
    public ResumedUpload? Former { get; private set; }

    /// <summary>Gets when an earlier run was about to create an upload whose ID it didn't record, by the clock of this machine; null if there is none.</summary>
    public DateTimeOffset? Announced { get; }

    /// <summary>Gets a value that indicates whether the earlier upload was of the same, unchanged source with the same options.</summary>
    public bool IsSame => Former is { } former && _header is not null && former.Header.IsSameAs(_header);

    /// <summary>Gets the IDs of earlier uploads to the same key that could not be aborted.</summary>
    public IReadOnlyList<string> Unaborted => _unaborted;

    /// <summary>Gets the reason why the journal can't be used; null if it can.</summary>
    public Exception? Failure => _journal.Failure;

    /// <summary>Opens or creates the journal of an upload.</summary>
    /// <returns>Null if the source can't be recognized, the journal can't be written, or another upload to the same key uses it.</returns>
    public static UploadJournal? TryOpen(ClientContext context, UploadRequest request, IResumableSource source, UploadPlan plan)
    {
        if (source.Identity is not { } identity || context.Settings.StateDirectory is not { } path)
        {
            return null;
        }

        try
        {
            CreateFolder(path);
            return TryOpen(path, GetName(context, request.Address), create: true, GetHeader(request, source, identity, plan));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Log.NoJournal(context.Logger, path, e);
            return null;
        }
    }

    /// <summary>Opens the directory of the journals, and creates it if it doesn't exist.</summary>
    public static LocalFolder OpenFolder(string path)
    {
        CreateFolder(path);
        return LocalFolder.Open(path);
    }

    /// <summary>Opens the journal of an earlier upload to the same key.</summary>
    /// <returns>Null if there is none, or another upload uses it.</returns>
    public static UploadJournal? TryOpenFormer(ClientContext context, ObjectAddress address)
    {
        if (!Exists(context, address))
        {
            return null;
        }

        try
        {
            return TryOpen(context.Settings.StateDirectory!, GetName(context, address), create: false, null);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Returns whether there is a journal of an upload to a key, of any source.</summary>
    public static bool Exists(ClientContext context, ObjectAddress address)
        => context.Settings.StateDirectory is { } path && File.Exists(Path.Combine(path, GetName(context, address)));

    /// <summary>Marks the earlier upload as one to abort instead of one to resume.</summary>
    public void Abandon()
    {
        if (Former is { } former)
        {
            Former = null;
            Remember(former.Header.UploadId);
        }
    }

    /// <summary>Removes the earlier upload, which doesn't exist anymore.</summary>
    public void Forget() => Former = null;

    /// <summary>Adds an upload that won't be resumed, so that this run or a later one aborts it.</summary>
    public void Remember(string uploadId)
    {
        _unaborted.Remove(uploadId);
        _unaborted.Add(uploadId);
        _unaborted.RemoveRange(0, Math.Max(0, _unaborted.Count - MaxUnaborted));
    }

    /// <summary>Removes an upload that was aborted.</summary>
    public void Forget(string uploadId) => _unaborted.Remove(uploadId);

    /// <summary>Records that an upload is about to be created, so that the next run finds it if this one ends before it knows the ID.</summary>
    public void Announce(DateTimeOffset begun)
    {
        _journal.Restart();
        Append(_header! with { Begun = begun });
    }

    /// <summary>Records a new upload.</summary>
    /// <returns>Whether a later run can find it.</returns>
    public bool Begin(string uploadId, ChecksumAlgorithm checksum, DateTimeOffset begun)
    {
        _journal.Restart();
        return Append(_header! with { UploadId = uploadId, Checksum = checksum, Begun = begun });
    }

    public void Add(UploadStep step) => _journal.Append(step, UploadJournalJson.Default.UploadStep);

    /// <summary>Deletes the journal. If uploads must still be aborted, it keeps their IDs instead.</summary>
    public void Delete()
    {
        Former = null;
        if (_header is not null && _unaborted.Count > 0)
        {
            _journal.Restart();
            if (Append(_header))
            {
                return;
            }
        }

        _journal.TryDelete(); // otherwise, the next run detects that the upload doesn't exist anymore
    }

    public void Dispose()
    {
        _journal.Dispose();
        _folder.Dispose();
    }

    private static void CreateFolder(string path)
    {
        if (!OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }

    private static UploadJournal? TryOpen(string path, string name, bool create, UploadHeader? header)
    {
        LocalFolder folder = LocalFolder.Open(path);
        try
        {
            if (Journal.TryOpen(folder, name, create) is { } journal)
            {
                return new UploadJournal(folder, journal, header);
            }
        }
        catch
        {
            folder.Dispose();
            throw;
        }

        folder.Dispose();
        return null;
    }

    /// <summary>Gets the name of the journal of uploads to an address.</summary>
    public static string GetName(ClientContext context, ObjectAddress address) => $"upload-{JournalName.Create(context.Store, address.Bucket, address.Key)}.journal";

    /// <summary>Finds the journals that are there, of all stores.</summary>
    /// <returns>Their names; empty if the directory doesn't exist or can't be read.</returns>
    public static HashSet<string> FindNames(ClientContext context)
    {
        try
        {
            return context.Settings.StateDirectory is { } path && Directory.Exists(path) ? [.. Directory.EnumerateFiles(path, "upload-*.journal").Select(file => Path.GetFileName(file))] : [];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private bool Append(UploadHeader header)
        => _journal.Append(header with { Unaborted = _unaborted.Count > 0 ? [.. _unaborted] : null }, UploadJournalJson.Default.UploadHeader);

    /// <summary>Parses the lines of a journal.</summary>
    /// <returns>Null if this version can't read them. If the upload ID is empty, it isn't known, or only uploads that could not be aborted are left.</returns>
    internal static ResumedUpload? Parse(IReadOnlyList<ReadOnlyMemory<byte>> lines)
    {
        try
        {
            if (lines.Count == 0
                || JsonSerializer.Deserialize(lines[0].Span, UploadJournalJson.Default.UploadHeader) is not { Format: UploadHeader.CurrentFormat } header
                || !Enum.IsDefined(header.Checksum))
            {
                return null;
            }

            Dictionary<int, UploadStep> parts = [];
            string? completing = null;
            foreach (ReadOnlyMemory<byte> line in lines.Skip(1))
            {
                UploadStep step = JsonSerializer.Deserialize(line.Span, UploadJournalJson.Default.UploadStep)!;
                if (step.Part == 0)
                {
                    completing = step.Checksum;
                }
                else
                {
                    parts[step.Part] = step; // a part that was sent again is in the journal twice
                }
            }

            return new ResumedUpload(header, parts, completing);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static UploadHeader GetHeader(UploadRequest request, IResumableSource source, string identity, UploadPlan plan) => new(
        UploadHeader.CurrentFormat,
        request.Address.Bucket,
        request.Address.Key,
        string.Empty,
        identity,
        source.Length!.Value,
        source.LastModified.UtcTicks,
        plan.PartSizeBytes,
        GetOptions(request),
        request.Target.Checksum);

    /// <summary>
    /// Computes a digest of the options that can't change after an upload was created. It is a digest because it includes a customer-provided key.
    /// </summary>
    private static string GetOptions(UploadRequest request)
    {
        List<string> headers = [];
        request.Target.Headers.ForEach(headers, static (headers, name, value) => headers.Add($"{name}:{value}"));
        headers.Sort(StringComparer.Ordinal);
        return JournalName.Create([request.Target.Checksum.ToString(), request.Address.Access.CustomerKey?.Base64Md5, .. headers]);
    }
}
