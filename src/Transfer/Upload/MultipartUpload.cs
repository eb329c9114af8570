using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Resume;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>
/// The multipart upload of the parts of one object, from its creation to its end, with its journal. It is created for the first part, or is that of an earlier run, or
/// is shared with other processes. It ends as an object, is handed over to be published later, or is aborted, unless a later run can resume it.
/// </summary>
internal sealed class MultipartUpload : IDisposable
{
    private readonly TransferRun _run;
    private readonly UploadRequest _request;
    private readonly UploadCalls _calls;
    private readonly bool _isShared;
    private Task<string>? _created;
    private DateTimeOffset? _began;
    private bool _hasEnded;

    /// <param name="run">The transfer.</param>
    /// <param name="request">The object.</param>
    /// <param name="calls">The requests.</param>
    /// <param name="shared">The upload, if others send its other parts.</param>
    public MultipartUpload(TransferRun run, UploadRequest request, UploadCalls calls, SharedUpload? shared)
    {
        (_run, _request, _calls, _isShared) = (run, request, calls, shared is not null);
        _created = shared is null ? null : Task.FromResult(shared.UploadId);
    }

    /// <summary>Gets a value that indicates whether it was created, is being created, or is that of an earlier run, which the store still has.</summary>
    public bool IsBegun => _created is not null;

    /// <summary>Gets or sets what records the upload for a later run, and is disposed together with this object; null if it can't be resumed.</summary>
    public UploadJournal? Journal { get; set; }

    /// <summary>Prepares to use the upload of an earlier run, if the store still has it.</summary>
    public void Expect(ResumedUpload former) => (_created, _began) = (null, former.Header.Begun);

    /// <summary>Forgets the upload of the earlier run, which no longer exists.</summary>
    public void Forget() => _began = null;

    /// <summary>Uses the upload of the earlier run.</summary>
    public void UseFormer(string uploadId)
    {
        _run.Uploads?.Created(_request.Address, uploadId);
        _created = Task.FromResult(uploadId);
    }

    /// <summary>Gets the ID. The upload is created if necessary.</summary>
    public Task<string> GetIdAsync(CancellationToken cancellationToken) => _created ??= CreateAsync(cancellationToken);

    /// <summary>Publishes the object, or hands the upload over if it is published later.</summary>
    /// <param name="parts">The parts, in their order.</param>
    /// <param name="bytes">Their length.</param>
    /// <param name="checksum">Their checksums.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<PublishedUpload> CompleteAsync(IReadOnlyList<UploadedPart> parts, long bytes, ObjectChecksum checksum, CancellationToken cancellationToken)
    {
        StagedUpload upload = new StagedUpload(await _created!.ConfigureAwait(false), parts, bytes, _began)
        {
            SourceChecksum = _request.Copied?.FullObjectChecksum,
            SourceEncryption = _request.SourceEncryption,
        }.With(checksum);
        return _run.Uploads is { TakesUploads: true } receiver ? HandOver(upload, receiver) : await PublishAsync(upload, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Aborts the upload after a failure, unless others or a later run use it. An error of that is attached to the failure.</summary>
    /// <param name="failure">The failure.</param>
    /// <param name="keptBytes">The number of bytes that a later run doesn't have to send.</param>
    /// <returns>The failure.</returns>
    public async Task<Exception> AbandonAsync(Exception failure, long keptBytes)
    {
        if (_hasEnded || _isShared)
        {
            return failure;
        }

        (string? uploadId, Exception? cleanup) = await WhenCreatedAsync().ConfigureAwait(false);
        if (Journal is not null && ((keptBytes > 0 && (_created is null || ResumePolicy.CanResumeUploadAfter(failure))) || (uploadId is not null && ResumePolicy.LacksCredentials(failure))))
        {
            // An earlier upload is kept after any failure that occurs before this run has resumed it. Without credentials, nothing can be aborted.
            _run.Reporter.Bytes.AddKept(keptBytes);
            (failure as TransferException)?.BytesKept = keptBytes;
            return failure;
        }

        if (uploadId is not null && _calls.Publisher.MayBePublished)
        {
            // The journal is kept too.
            return Failures.WithCleanup(failure, Failures.NotAborted(_request.Address, uploadId));
        }

        if (uploadId is not null)
        {
            cleanup = await _calls.AbortAsync(uploadId).ConfigureAwait(false);
        }

        // Otherwise, the next run needs the journal to resume, find, or abort the upload.
        if (cleanup is null && (uploadId is not null || Journal?.Former is null))
        {
            Journal?.Delete();
        }

        return Failures.WithCleanup(failure, cleanup);
    }

    public void Dispose() => Journal?.Dispose();

    private async Task<string> CreateAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset began = _run.Client.Time.GetUtcNow();
        _began = began;
        Journal?.Announce(began);
        _run.Uploads?.Creating(_request.Address);
        string uploadId = await _calls.CreateAsync(cancellationToken).ConfigureAwait(false);
        _run.Uploads?.Created(_request.Address, uploadId);
        if (Journal is { } journal && !journal.Begin(uploadId, _calls.Checksum, began))
        {
            Log.NoJournal(_run.Client.Logger, _run.Client.Settings.StateDirectory!, journal.Failure);
            journal.Delete();
            journal.Dispose();
            Journal = null;
        }

        return uploadId;
    }

    /// <summary>Waits for the ID of the upload.</summary>
    /// <returns>The ID, or null if no upload was created; and an error if the store may have created one whose ID isn't known.</returns>
    private async Task<(string? UploadId, Exception? Cleanup)> WhenCreatedAsync()
    {
        try
        {
            return (_created is null ? null : await _created.ConfigureAwait(false), null);
        }
#pragma warning disable CA1031 // the failure is already that of the upload
        catch (Exception e)
#pragma warning restore CA1031
        {
            return (null, Failures.GetCleanup(e));
        }
    }

    private async Task<PublishedUpload> PublishAsync(StagedUpload upload, CancellationToken cancellationToken)
    {
        Journal?.Add(new UploadStep(0, null, _request.Copied is { } copied ? UploadCalls.GetMark(copied) : upload.Expected));
        (PublishedObject published, bool mayBeOpen) = await _calls.Publisher.CompleteAsync(upload, cancellationToken).ConfigureAwait(false);
        _hasEnded = true;
        if (mayBeOpen && await _calls.AbortAsync(upload.UploadId).ConfigureAwait(false) is not null)
        {
            Journal?.Remember(upload.UploadId);
        }

        Journal?.Delete();
        return new PublishedUpload(published, _calls.Publisher.Verdict(published, upload.Algorithm, upload.Expected), upload.Parts.Count);
    }

    /// <summary>Hands the upload over instead of publishing it. The verdict is that of a store that confirms the checksum when it is published.</summary>
    private PublishedUpload HandOver(StagedUpload upload, IUploadListener receiver)
    {
        receiver.Take(_request.Address, upload);
        _hasEnded = true;
        ChecksumVerdict verdict = upload.Expected is { } expected ? ChecksumVerdict.Verified(upload.Algorithm, expected) : ChecksumVerdict.Unverified("no checksum was computed");
        return new PublishedUpload(PublishedObject.Staged with { Encryption = upload.SourceEncryption }, verdict, upload.Parts.Count);
    }
}
