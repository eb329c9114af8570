using Transfer.S3.Download;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Verify;
using Transfer.S3.Wire;

namespace Transfer.S3.Sync;

/// <summary>Compares files with objects of the same size, by what the store tells or, if that is wanted, by reading the object.</summary>
/// <param name="options">The options.</param>
/// <param name="root">The directory below which no link is followed; null to follow links.</param>
internal sealed class FileComparison(SyncOptions options, string? root) : IDisposable
{
    private SemaphoreSlim? _reading;
    private TagEvidence? _tags;

    /// <param name="whole">The synchronization.</param>
    /// <param name="source">The source, which the action is about.</param>
    /// <param name="file">The file, which is the source or the target.</param>
    /// <param name="listed">The object.</param>
    /// <param name="address">The address of the object.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<SyncDecision> RunAsync(
        TransferRun whole, SyncEntry source, SyncEntry file, SyncEntry listed, ObjectAddress address, CancellationToken cancellationToken)
    {
        TransferRun run = whole.Client.BeginCounting(address.Bucket, address.Key, whole);
        if (options.Comparison == SyncComparison.Time)
        {
            ObjectInfo info = await ObjectLookup.RunAsync(run, address, cancellationToken).ConfigureAwait(false);
            return new SyncDecision(info.Length != listed.Length ? Replace($"size {listed.Length} → {info.Length}")
                : ModificationTime.Recorded(info) is not { } recorded ? Outcome.WithoutEvidence(source.Name, source.Length)
                : Math.Abs(recorded.UtcTicks - file.LastWrite) <= options.ModifyWindow.Ticks ? Keep("time")
                : Replace("time"));
        }

        TagEvidence tags = LazyInitializer.EnsureInitialized(ref _tags, () => new TagEvidence(whole.Client.Settings.UploadPartSizeBytes));
        string? etag = tags.Of(address, listed.ETag);
        VerifyRequest request = new(file.Path!, address, options.Comparison == SyncComparison.Content)
        {
            Listed = new KnownObject(listed.Length, etag),
            Root = root,
            Reading = LazyInitializer.EnsureInitialized(ref _reading, () => new SemaphoreSlim(whole.Client.Settings.MaxOpenStreams)),
        };
        VerifyResult result = await new ObjectComparer(run, request).RunAsync(cancellationToken).ConfigureAwait(false);
        if (!result.IsSame)
        {
            return new SyncDecision(result.Method == VerifyMethod.None ? Outcome.WithoutEvidence(source.Name, source.Length) : Replace(result.Method switch
            {
                VerifyMethod.ETag => "etag",
                VerifyMethod.Checksum => "checksum",
                VerifyMethod.Size => "size",
                _ => "content",
            }));
        }

        tags.Learn(result, etag);
        return new SyncDecision(
            Keep(result.Method == VerifyMethod.ETag ? "etag" : result.Method == VerifyMethod.Checksum ? "checksum" : "content"),
            ContentChecksum.From(result.Algorithm ?? ChecksumAlgorithm.None, result.Checksum));

        Outcome Keep(string reason) => Outcome.Same(source.Name, source.Length, reason);

        Outcome Replace(string reason) => Outcome.Replacing(source.Name, source.Length, reason);
    }

    /// <summary>Returns whether a file has a content.</summary>
    public async Task<bool> HasContentAsync(TransferRun whole, string path, ContentChecksum content, ObjectAddress address, CancellationToken cancellationToken)
    {
        using ComparedFile file = ComparedFile.Open(path, root, address);
        return await file.SumAsync(whole.Client, content.Algorithm, null, cancellationToken).ConfigureAwait(false) == content.Value;
    }

    public void Dispose() => _reading?.Dispose();
}
