using Transfer.S3.Download;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Verify;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Compares files with objects, by what the store tells or, if that is wanted, by reading the object.</summary>
/// <param name="client">The client of the store.</param>
/// <param name="root">The directory below which no link is followed; null to follow links.</param>
internal sealed class FileComparison(ClientContext client, string? root) : IDisposable
{
    private readonly SemaphoreSlim _reading = new(client.Settings.MaxOpenStreams);
    private readonly TagEvidence _tags = new(client.Settings.UploadPartSizeBytes);

    /// <summary>Finds the sizes and times of a file and an object.</summary>
    public static async Task<(ItemTimes File, ItemTimes Object)> FindTimesAsync(TransferRun whole, TreeEntry file, ObjectAddress address, CancellationToken cancellationToken)
    {
        TransferRun run = whole.Client.BeginCounting(address.Bucket, address.Key, whole);
        ObjectInfo info = await ObjectLookup.RunAsync(run, address, cancellationToken).ConfigureAwait(false);
        return (new ItemTimes(file.Length, new DateTimeOffset(file.LastWrite, TimeSpan.Zero)), new ItemTimes(info.Length, ModificationTime.Recorded(info)));
    }

    /// <param name="whole">The operation.</param>
    /// <param name="file">The file.</param>
    /// <param name="listed">The object in a listing, or in a list of keys.</param>
    /// <param name="address">The address of the object.</param>
    /// <param name="readContent">Whether the object is read if nothing else is conclusive.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result, and the number of bytes that were read from the store.</returns>
    public async Task<(VerifyResult Result, long BytesRead)> RunAsync(TransferRun whole, TreeEntry file, TreeEntry listed, ObjectAddress address, bool readContent, CancellationToken cancellationToken)
    {
        TransferRun run = whole.Client.BeginCounting(address.Bucket, address.Key, whole);
        string? etag = _tags.Of(address, listed.ETag);
        VerifyRequest request = new(file.Path!, address, readContent)
        {
            Listed = listed.HasLength ? new KnownObject(listed.Length, etag) : null,
            Root = root,
            Reading = _reading,
        };
        VerifyResult result = await new ObjectComparer(run, request).RunAsync(cancellationToken).ConfigureAwait(false);
        if (result.IsSame)
        {
            _tags.Learn(result, etag);
        }

        return (result, run.Reporter.Bytes.Transferred);
    }

    /// <summary>Returns whether a file has a content.</summary>
    public async Task<bool> HasContentAsync(string path, ContentChecksum content, ObjectAddress address, CancellationToken cancellationToken)
    {
        using ComparedFile file = ComparedFile.Open(path, root, address);
        return await file.SumAsync(client, content.Algorithm, null, cancellationToken).ConfigureAwait(false) == content.Value;
    }

    public void Dispose() => _reading.Dispose();
}
