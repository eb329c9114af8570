using System.Text.Json;
using Transfer.S3.Trees;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>
/// The multipart uploads of the huge objects of a job. Each worker that needs one and finds none creates it. The one whose file is written first counts, and the others
/// abort theirs.
/// </summary>
/// <param name="folder">The folder of the job.</param>
/// <param name="plan">The plan.</param>
/// <param name="sync">The sides.</param>
/// <param name="open">Records an upload that can't be aborted.</param>
internal sealed class JobUploads(JobFolder folder, JobPlan plan, Pairing sync, OpenUploads open) : IDisposable
{
    private readonly SemaphoreSlim _gate = new(1);
    private readonly Dictionary<int, JobUpload> _known = [];

    /// <summary>Reads the upload of an object.</summary>
    /// <returns>Null if there is none yet.</returns>
    /// <exception cref="TransferException">Thrown when it can't be read, or is damaged.</exception>
    public static async Task<JobUpload?> FindAsync(JobFolder folder, JobPlan plan, int number, CancellationToken cancellationToken)
    {
        string name = JobNames.Upload(plan.Id, number);
        try
        {
            if (await folder.ReadAllAsync(name, cancellationToken).ConfigureAwait(false) is not { } content)
            {
                return null;
            }

            JobUpload upload = JsonSerializer.Deserialize(content, JobJson.Default.JobUpload) ?? throw new JsonException("it is empty");
            return Enum.IsDefined(upload.Checksum) ? upload : throw new JsonException($"this version does not know checksum {upload.Checksum}");
        }
        catch (JsonException e)
        {
            throw new TransferException($"{folder.Address}: '{name}' is damaged, or isn't the upload of a job: {e.Message}", e);
        }
    }

    /// <summary>Gets the upload of the object of a piece, and creates it if there is none.</summary>
    public async Task<JobUpload> GetAsync(JobItem item, UploadRange range, CancellationToken cancellationToken)
    {
        int number = item.Piece!.Object;
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (!_known.TryGetValue(number, out JobUpload? upload))
            {
                upload = await FindAsync(folder, plan, number, cancellationToken).ConfigureAwait(false) ?? await CreateAsync(item, range, cancellationToken).ConfigureAwait(false);
                _known.Add(number, upload);
            }

            return upload;
        }
        finally
        {
            _gate.Release();
        }
    }

    public void Dispose() => _gate.Dispose();

    private async Task<JobUpload> CreateAsync(JobItem item, UploadRange range, CancellationToken cancellationToken)
    {
        int number = item.Piece!.Object;
        UploadDescription description = await range.DescribeAsync(cancellationToken).ConfigureAwait(false);
        ObjectAddress address = description.Request.Address;
        await CheckTargetAsync(item, address, cancellationToken).ConfigureAwait(false);
        DateTimeOffset began = range.Run.Client.Time.GetUtcNow();
        UploadCalls calls = new(range.Run, item.Bytes == 0 ? description.Request.WithEmptyPart() : description.Request);
        string id = await calls.CreateAsync(cancellationToken).ConfigureAwait(false);
        JobUpload own = new(address.Key, id, calls.Checksum, began) { Lost = description.Lost, SourceEncryption = description.SourceEncryption, SourceChecksum = description.SourceChecksum };

        // If the response to this request is lost, others may already use the upload, so it isn't aborted here. The end of the job finds it.
        byte[] content = JsonSerializer.SerializeToUtf8Bytes(own, JobJson.Default.JobUpload);
        if (await folder.TryCreateAsync(JobNames.Upload(plan.Id, number), content, cancellationToken).ConfigureAwait(false))
        {
            return own;
        }

        JobUpload? first = await FindAsync(folder, plan, number, cancellationToken).ConfigureAwait(false);
        if (first is not null && first.UploadId != id && await MultipartAbort.RunAsync(range.Run, address, id).ConfigureAwait(false) is not null)
        {
            open.Add(address, id); // the end of the job aborts it
        }

        return first ?? throw new TransferException($"{folder.Address} has no '{JobNames.Upload(plan.Id, number)}', although it could not be created. Check that the credentials can read it.");
    }

    /// <summary>
    /// Checks that the target is in the planned state before the first byte is copied, or can already be what the item makes. The request that completes the upload
    /// decides, but it comes after all bytes.
    /// </summary>
    private async Task CheckTargetAsync(JobItem item, ObjectAddress address, CancellationToken cancellationToken)
    {
        TreeEntry? now;
        try
        {
            now = await sync.Target.FindAsync(item.Name, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException)
        {
            return; // some credentials can only write
        }

        if (TargetState.FindChange(item.ToTarget(plan.Target), now) is { } change && now?.Length != item.Bytes)
        {
            throw new TransferException($"{address} was {change} after it was planned.") { Error = TransferError.PreconditionFailed, Bucket = address.Bucket, Key = address.Key };
        }
    }
}
