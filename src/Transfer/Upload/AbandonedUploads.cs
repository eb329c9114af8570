using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>Aborts multipart uploads of earlier runs that will not be resumed.</summary>
internal static class AbandonedUploads
{
    /// <summary>The difference between two clocks that have whole seconds.</summary>
    private static readonly TimeSpan Inaccuracy = TimeSpan.FromSeconds(2);

    /// <summary>The time within which the store creates an upload after it was announced. A later one may be that of somebody else.</summary>
    private static readonly TimeSpan LongestCreation = TimeSpan.FromMinutes(1);

    /// <summary>Aborts an earlier upload to the same key that won't be resumed, and deletes its journal.</summary>
    /// <remarks>If it can't be aborted, the journal is kept for the next run. A journal that another upload is using isn't changed.</remarks>
    public static async Task DiscardAsync(TransferRun run, ObjectAddress address)
    {
        using UploadJournal? journal = UploadJournal.TryOpenFormer(run.Client, address);
        if (journal is not null)
        {
            journal.Abandon();
            await AbortAsync(run, address, journal).ConfigureAwait(false);
            if (journal.Unaborted.Count == 0)
            {
                journal.Delete();
            }
        }
    }

    /// <summary>Aborts the uploads in a journal, and keeps the IDs of those that can't be aborted.</summary>
    public static async Task AbortAsync(TransferRun run, ObjectAddress address, UploadJournal journal)
    {
        if (journal.Announced is { } announced && await TryFindAsync(run, address, announced).ConfigureAwait(false) is { } found)
        {
            journal.Remember(found);
        }

        string[] ids = [.. journal.Unaborted];
        Exception?[] failures = await Task.WhenAll(ids.Select(id => MultipartAbort.RunAsync(run, address, id))).ConfigureAwait(false);
        for (int i = 0; i < ids.Length; i++)
        {
            if (failures[i] is null)
            {
                journal.Forget(ids[i]);
            }
        }
    }

    /// <summary>Finds the upload that an earlier run created without learning its ID.</summary>
    /// <returns>The ID; null unless exactly one upload of the key began at that time and has no parts, because another one is somebody else's.</returns>
    /// <exception cref="WireException">Thrown when the uploads can't be listed. With <see cref="OperationCanceledException"/>, that took too long.</exception>
    public static async Task<string?> FindAsync(TransferRun run, ObjectAddress address, DateTimeOffset announced)
    {
        using CleanupCalls calls = new(run);
        Page<UnfinishedUpload> page = await calls.SendAsync(token => run.Client.Wire.ListUploadsAsync(address.Bucket, address.Key, null, token)).ConfigureAwait(false);
        DateTimeOffset now = run.Client.Time.GetUtcNow();
        DateTimeOffset earliest = announced + ((page.StoreTime ?? now) - now) - Inaccuracy;
        DateTimeOffset latest = earliest + LongestCreation;
        string[] ids = [.. page.Items.Where(one => one.Key == address.Key && one.Initiated >= earliest && one.Initiated <= latest).Select(static one => one.UploadId)];
        return ids is [var id] && await HasNoPartsAsync(run, calls, address, id).ConfigureAwait(false) ? id : null;
    }

    private static async Task<string?> TryFindAsync(TransferRun run, ObjectAddress address, DateTimeOffset announced)
    {
        try
        {
            return await FindAsync(run, address, announced).ConfigureAwait(false);
        }
        catch (Exception e) when (e is WireException or OperationCanceledException)
        {
            return null; // the upload stays, as it would without the journal
        }
    }

    private static async Task<bool> HasNoPartsAsync(TransferRun run, CleanupCalls calls, ObjectAddress address, string uploadId)
        => (await calls.SendAsync(token => run.Client.Wire.ListPartsAsync(address, uploadId, null, token)).ConfigureAwait(false)).Items.Count == 0;
}
