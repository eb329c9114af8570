using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>Aborts multipart uploads of earlier runs that will not be resumed.</summary>
internal static class AbandonedUploads
{
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
}
