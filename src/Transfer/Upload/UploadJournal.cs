using System.Globalization;
using System.Text.Json;
using Transfer.Files;
using Transfer.Resume;
using Transfer.Scheduling;

namespace Transfer.Upload;

/// <summary>The journal of a file's multipart upload: its id, and the parts that the store has taken.</summary>
/// <remarks>
/// Not beside the source, which may be where nothing can be written: in a folder of the user's, under a name that is made of the store, the bucket and the key.
/// </remarks>
internal sealed class UploadJournal : IDisposable
{
    private readonly LocalFolder _folder;
    private readonly Journal _journal;
    private readonly UploadHeader _header;

    internal UploadJournal(LocalFolder folder, Journal journal, UploadHeader header)
    {
        _folder = folder;
        _journal = journal;
        _header = header;
        Former = Parse(journal.Read());
    }

    /// <summary>What an earlier upload to the same key has left; null where there is nothing, or nothing that can be read.</summary>
    public FormerUpload? Former { get; }

    /// <summary>Whether that was of the same file, as it is now, and with the same options.</summary>
    public bool IsSame => Former is { } former && former.Header.IsSameAs(_header);

    /// <summary>Opens the journal of an upload, and makes it where there is none.</summary>
    /// <returns>Null where it can't be written, or another upload to the same key has it.</returns>
    public static UploadJournal? TryOpen(ClientContext context, UploadRequest request, FileSource source, UploadPlan plan)
    {
        if (context.Settings.StateDirectory is not { } path)
        {
            return null;
        }

        LocalFolder? folder = null;
        try
        {
            if (!OperatingSystem.IsWindows())
            {
                Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            }

            folder = LocalFolder.Open(path);
            string name = $"upload-{JournalName.Of(context.Store, request.Address.Bucket, request.Address.Key)}.journal";
            if (Journal.TryOpen(folder, name, create: true) is { } journal)
            {
                return new UploadJournal(folder, journal, HeaderOf(request, source, plan));
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Log.NoJournal(context.Logger, path, e);
        }

        folder?.Dispose();
        return null;
    }

    /// <summary>What keeps it from telling of the upload; null where nothing does.</summary>
    public Exception? Failure => _journal.Failure;

    /// <summary>A new upload has begun.</summary>
    /// <returns>Whether a later run will find it.</returns>
    public bool Begin(string uploadId, ChecksumAlgorithm checksum, DateTimeOffset begun)
    {
        _journal.Restart();
        return _journal.Append(_header with { UploadId = uploadId, Checksum = checksum, Begun = begun }, UploadJournalJson.Default.UploadHeader);
    }

    public void Add(UploadStep step) => _journal.Append(step, UploadJournalJson.Default.UploadStep);

    /// <summary>Nothing is left to go on with.</summary>
    public void Delete()
    {
        try
        {
            _journal.Delete();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The next run finds that its upload is gone.
        }
    }

    public void Dispose()
    {
        _journal.Dispose();
        _folder.Dispose();
    }

    /// <summary>What the lines of a journal say.</summary>
    /// <returns>Null where that is nothing that this version can read.</returns>
    internal static FormerUpload? Parse(IReadOnlyList<ReadOnlyMemory<byte>> lines)
    {
        try
        {
            if (lines.Count == 0
                || JsonSerializer.Deserialize(lines[0].Span, UploadJournalJson.Default.UploadHeader) is not { Format: UploadHeader.CurrentFormat, UploadId.Length: > 0 } header)
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
                    parts[step.Part] = step; // a part that had to be sent again stands twice
                }
            }

            return new FormerUpload(header, parts, completing);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static UploadHeader HeaderOf(UploadRequest request, FileSource source, UploadPlan plan) => new(
        UploadHeader.CurrentFormat,
        request.Address.Bucket,
        request.Address.Key,
        string.Empty,
        source.FullPath,
        source.Length!.Value,
        source.LastModified.UtcTicks,
        plan.PartSizeBytes,
        OptionsOf(request),
        request.Target.Checksum);

    /// <summary>What of the options is fixed when an upload begins. A digest, because a customer's key is among it.</summary>
    private static string OptionsOf(UploadRequest request)
    {
        Wire.ObjectHeaders headers = request.Target.Headers;
        List<string?> words =
        [
            request.Target.Checksum.ToString(),
            request.Address.Access.CustomerKey?.Base64Md5,
            headers.ContentType,
            headers.CacheControl,
            headers.ContentDisposition,
            headers.ContentEncoding,
            headers.ContentLanguage,
            headers.Expires,
            headers.TagQuery,
            headers.StorageClass,
            headers.Acl,
            headers.Encryption?.Algorithm,
            headers.Encryption?.KeyId,
            headers.Encryption?.Context,
            headers.Encryption?.UsesBucketKey?.ToString(CultureInfo.InvariantCulture),
        ];
        foreach ((string name, string value) in (headers.Metadata ?? new Dictionary<string, string>()).OrderBy(pair => pair.Key, StringComparer.Ordinal))
        {
            words.Add(name);
            words.Add(value);
        }

        return JournalName.Of([.. words]);
    }
}
