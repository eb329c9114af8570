using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>
/// The journals of uploads that earlier runs have left. A synchronization that finds a target up to date doesn't upload it, so it has to discard the journal of its
/// interrupted upload. The response to the last request may have been lost, or the source has its former content again.
/// </summary>
/// <param name="run">The synchronization.</param>
/// <param name="target">The prefix that is written.</param>
internal sealed class LeftUploads(TransferRun run, ObjectAddress target)
{
    private readonly HashSet<string> _names = UploadJournal.FindNames(run.Client);

    /// <summary>Aborts the interrupted upload of a target that is up to date, if there is one, and deletes its journal.</summary>
    public Task DiscardAsync(string name)
    {
        if (_names.Count == 0)
        {
            return Task.CompletedTask; // nearly always; the hash of each name would take time
        }

        ObjectAddress address = target with { Key = target.Key + name };
        return _names.Contains(UploadJournal.GetName(run.Client, address)) ? AbandonedUploads.DiscardAsync(run, address) : Task.CompletedTask;
    }
}
