using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>
/// The multipart uploads that a worker has created and that aren't in its results yet. Those that are still open when results are written become a line of them, so
/// that the end of the job knows that they belong to it.
/// </summary>
internal sealed class OpenUploads : IUploadListener
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, List<string>> _unrecorded = [];

    /// <summary>Adds an upload.</summary>
    public void Add(ObjectAddress address, string uploadId)
    {
        lock (_gate)
        {
            if (!_unrecorded.TryGetValue(address.Key, out List<string>? ids))
            {
                _unrecorded.Add(address.Key, ids = []);
            }

            ids.Add(uploadId);
        }
    }

    void IUploadListener.Created(ObjectAddress address, string uploadId) => Add(address, uploadId);

    /// <summary>Removes the uploads of an object that is done.</summary>
    public void Remove(string key)
    {
        lock (_gate)
        {
            _unrecorded.Remove(key);
        }
    }

    /// <summary>Removes and returns the lines of all uploads.</summary>
    public IReadOnlyList<JobLine> Take()
    {
        lock (_gate)
        {
            JobLine[] lines = [.. _unrecorded.Values.SelectMany(static ids => ids).Select(static id => new JobLine { Status = JobLine.Open, Upload = id })];
            _unrecorded.Clear();
            return lines;
        }
    }
}
