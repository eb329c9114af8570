using Transfer.S3.Copy;
using Transfer.S3.Download;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Resume;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Publishes objects whose parts are all in the store, or finds that they were published before. It can be repeated after it was interrupted at any request.</summary>
/// <param name="pair">The sides.</param>
/// <param name="run">The call at the target.</param>
internal sealed class StagedCompletion(Pairing pair, TransferRun run)
{
    private readonly StoreSide _target = (StoreSide)pair.Target;

    /// <param name="name">The name of the object.</param>
    /// <param name="upload">Its upload.</param>
    /// <param name="target">What the target must be.</param>
    /// <param name="isReviewed">Whether the target was looked up a moment ago, so that only the store's own condition is needed.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<StagedResult> RunAsync(string name, StagedUpload upload, TargetState target, bool isReviewed, CancellationToken cancellationToken)
    {
        ObjectAddress address = _target.GetAddress(name);
        try
        {
            return await _target.WriteAsync(run, address, target, CompleteAsync, cancellationToken, isReviewed).ConfigureAwait(false);
        }
        catch (Exception e) when (TreeSync.IsOfObject(e) && e is not ChecksumMismatchException)
        {
            if (await FindAsync(name, upload, cancellationToken).ConfigureAwait(false) is not { } there)
            {
                throw;
            }

            return there;
        }

        async Task<StagedResult> CompleteAsync(WriteCondition condition)
        {
            UploadRequest request = UploadRequest.ForStaged(
                new NewObject(address, IsChecksumChosen ? upload.Algorithm : ChecksumAlgorithm.Auto, condition, new ObjectHeaders()),
                upload,
                isReviewed && target.Entry is null ? ObjectPresence.Absent : null);
            UploadCalls calls = new(run, request);
            (PublishedObject published, bool mayBeOpen) = await calls.Publisher.CompleteAsync(upload, cancellationToken).ConfigureAwait(false);
            if (mayBeOpen)
            {
                _ = await calls.AbortAsync(upload.UploadId).ConfigureAwait(false);
            }

            ChecksumVerdict verdict = pair.Direction == TransferDirection.Copy
                ? CopyCoordinator.CompareWithSource(address, upload.SourceChecksum, published.Checksum) ?? CopyCoordinator.NotComparable
                : calls.Publisher.Verdict(published, upload.Algorithm, upload.Expected);
            return new StagedResult(published.ETag, verdict, KeptProperties.EncryptionLostBy(published, upload.SourceEncryption));
        }
    }

    /// <summary>Finds the object that an upload makes, or one with the same size and checksum. The upload is then aborted, if it still exists.</summary>
    /// <returns>Null if there is no object, or another one, or if it may not be read.</returns>
    /// <exception cref="TransferException">Thrown when the store doesn't answer, so that it isn't known whether the object was published.</exception>
    public async Task<StagedResult?> FindAsync(string name, StagedUpload upload, CancellationToken cancellationToken)
    {
        ObjectAddress address = _target.GetAddress(name);
        ObjectInfo there;
        try
        {
            there = await ObjectLookup.RunAsync(run, address, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (!ResumePolicy.CanResumeAfter(e))
        {
            return null; // there is none, or it can't be compared
        }

        (ChecksumAlgorithm algorithm, string? expected) = upload.Content;
        bool isComparable = expected is not null && there.Checksum is { } stored && stored.Algorithm == algorithm && stored.IsComposite == expected.Contains('-', StringComparison.Ordinal);
        bool isSame = there.Length == upload.Bytes && (isComparable
            ? there.Checksum!.Value == expected
            : Md5Tag.OfParts([.. upload.Parts.Select(static part => part.ETag)]) is { } md5 && Md5Tag.Matches(there.ETag, md5));
        if (!isSame)
        {
            return null;
        }

        _ = await MultipartAbort.RunAsync(run, address, upload.UploadId).ConfigureAwait(false);
        return new StagedResult(there.ETag, null, []);
    }

    private bool IsChecksumChosen => pair.Direction == TransferDirection.Copy || (pair.Options.Upload?.Checksum ?? ChecksumAlgorithm.Auto) != ChecksumAlgorithm.Auto;
}
