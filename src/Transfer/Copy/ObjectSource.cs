using Transfer.S3.Buffers;
using Transfer.S3.Download;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Copy;

/// <summary>An object of a store as the source of an upload. Each part is one range, which is received into the memory of the part.</summary>
/// <remarks>
/// Every request is bound to the state of the object in the first response, which is also the beginning of the first part. The content is compared with the checksum
/// of the store before the upload is completed.
/// </remarks>
internal sealed class ObjectSource : IPinnedSource, IAsyncDisposable
{
    private readonly string _store;
    private readonly ContentVerifier _verifier;
    private readonly PartFetcher _fetcher;
    private readonly CancellationTokenSource _stop = new();
    private RangeBody? _first;
    private ChecksumLookup? _lookup;
    private Task _lookingUp = Task.CompletedTask;
    private long _start;
    private bool _isPinned;

    private ObjectSource(TransferRun run, DownloadRequest request)
    {
        _store = run.Client.Store;
        _verifier = new ContentVerifier(request.Address, request.Verify);
        _fetcher = new PartFetcher(run, request.Address, request.Condition, _verifier);
        Address = request.Address;
    }

    public ObjectAddress Address { get; }

    /// <summary>Gets what the headers of the first response tell about the object.</summary>
    public ObjectHead Head { get; private set; } = null!;

    /// <summary>Gets the properties of the object.</summary>
    public ObjectInfo Info => Head.Info;

    /// <summary>Gets the number of bytes to copy: those of the object, or of the wanted range.</summary>
    public long Count { get; private set; }

    public long? Length => Count;

    public PartMemory PartMemory => PartMemory.Whole;

    /// <summary>Gets a value that indicates whether all of the object is copied.</summary>
    public bool IsWhole => Count == Info.Length;

    /// <summary>Gets the store, the object, its ETag, which changes with the content, and the range.</summary>
    public string? Identity => Info.ETag is { } tag && !ETags.IsWeak(tag)
        ? $"{_store} {Address.Bucket}/{Address.Key} {Address.VersionId ?? Info.VersionId} {tag}{(IsWhole ? string.Empty : $" {_start}+{Count}")}"
        : null;

    public DateTimeOffset LastModified => Info.LastModified ?? default;

    /// <summary>Gets the result of the comparison with the checksum of the store. It is set when all of the object was read.</summary>
    public ChecksumVerdict? Verdict { get; private set; }

    /// <summary>Requests the first bytes of an object.</summary>
    /// <param name="run">The transfer.</param>
    /// <param name="request">The object.</param>
    /// <param name="firstBytes">The number of bytes to request first.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task<ObjectSource> OpenAsync(TransferRun run, DownloadRequest request, long firstBytes, CancellationToken cancellationToken)
    {
        ObjectSource source = new(run, request);
        try
        {
            RangeBody first = await source.SendFirstAsync(request, firstBytes, cancellationToken).ConfigureAwait(false);
            source._first = first;
            source.Head = first.Head;
            (source._start, source.Count) = request.GetExtent(first.Info.Length);

            // Its slot would block the requests that the copy needs before it reads the body, if many objects are copied.
            first.Pause();
            if (!request.Verify)
            {
                return source;
            }

            if (source.IsWhole)
            {
                FirstResponse answer = first.Length == first.Info.Length ? FirstResponse.All : FirstResponse.Part;
                source._lookup = new ChecksumLookup(run, request.Verification, first.Head, answer);
                source._lookingUp = source._lookup.RunAsync(source._verifier, source._stop.Token);
            }
            else
            {
                source._verifier.GiveUp("a range was read, and the store holds checksums of whole objects only");
            }

            return source;
        }
        catch
        {
            await source.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public async ValueTask ReadPartAsync(long offset, long count, PartBody body, CancellationToken cancellationToken)
        => await StoreCopy.OfSourceAsync(() => ReadAsync(offset, count, body, cancellationToken)).ConfigureAwait(false);

    public async ValueTask<bool> TrySkipAsync(long offset, PartChecksumValue checksum, CancellationToken cancellationToken)
        => await StoreCopy.OfSourceAsync(() => SkipAsync(offset, checksum, cancellationToken)).ConfigureAwait(false);

    /// <summary>Compares the content with the checksum of the store.</summary>
    /// <exception cref="ChecksumMismatchException">Thrown when the content doesn't match.</exception>
    public async ValueTask CheckEndAsync(CancellationToken cancellationToken)
        => Verdict = await StoreCopy.OfSourceAsync(() => VerifyAsync(cancellationToken)).ConfigureAwait(false);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        Interlocked.Exchange(ref _first, null)?.Dispose();
        await _lookingUp.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _verifier.Dispose();
        _stop.Dispose();
    }

    /// <summary>Requests the first of the wanted bytes.</summary>
    private async Task<RangeBody> SendFirstAsync(DownloadRequest request, long firstBytes, CancellationToken cancellationToken)
    {
        if (request.Range is { Offset: null })
        {
            // The offset of the last bytes depends on the size.
            ObjectInfo info = (await _fetcher.ProbeAsync(cancellationToken).ConfigureAwait(false)).Info;
            (_fetcher.Origin, long length) = request.GetExtent(info.Length);
            return await _fetcher.SendFirstAsync(Math.Clamp(length, 1, firstBytes), request.Verify, cancellationToken).ConfigureAwait(false);
        }

        _fetcher.Origin = request.Range?.Offset ?? 0;
        return await _fetcher.SendFirstAsync(Math.Min(firstBytes, request.Range?.Length ?? firstBytes), request.Verify, cancellationToken).ConfigureAwait(false);
    }

    private async Task<long> ReadAsync(long offset, long count, PartBody body, CancellationToken cancellationToken)
    {
        PartBodyWriter writer = new(body);
        RangeBody? first = offset == 0 ? Interlocked.Exchange(ref _first, null) : null;
        if (first is not null && (first.Length > count || (first.Length < count && first.Length % body.Lease.ChunkSize != 0)))
        {
            // The parts of the target are not the ranges that were expected. All chunks of a part except the last must be full.
            first.Dispose();
            first = null;
        }

        if (first is not null)
        {
            first.Resume();
            using PartFetch part = _fetcher.Begin(0, first.Length, body.Lease, writer, first);
            await part.ReceiveAsync(cancellationToken).ConfigureAwait(false);
        }

        if (body.Length < count)
        {
            await CheckPinnedAsync(cancellationToken).ConfigureAwait(false);
            using PartFetch part = _fetcher.Begin(offset + body.Length, count - body.Length, body.Lease, writer);
            await part.ReceiveAsync(cancellationToken).ConfigureAwait(false);
        }

        body.SourceChecksum = ChecksumTable.Combinable.FirstOrDefault(entry => (writer.Crc.Computed & entry.Crc) != CrcSet.Kinds.None) is { } known && known.Algorithm != body.Checksum.Algorithm
            ? new PartChecksumValue(known.Algorithm, writer.Crc, null)
            : null;
        if (count == Count)
        {
            await DigestAsync(body, cancellationToken).ConfigureAwait(false);
        }

        return body.Length;
    }

    private async Task<bool> SkipAsync(long offset, PartChecksumValue checksum, CancellationToken cancellationToken)
    {
        await _lookingUp.WaitAsync(cancellationToken).ConfigureAwait(false);
        VerificationStrategy way = _verifier.Way;
        if (way.IsCut || (way.IsInOrder && checksum.Crc.Length == Count) || (way.Kinds & ~checksum.Crc.Computed) != CrcSet.Kinds.None)
        {
            return false; // a checksum of this kind, or of the parts of the source, can't be computed from the one of the journal
        }

        if (offset == 0)
        {
            Interlocked.Exchange(ref _first, null)?.Dispose();
        }

        RangeChecksum range = _verifier.Begin(offset);
        range.Append(checksum.Crc);
        range.Complete();
        return true;
    }

    private async Task<ChecksumVerdict> VerifyAsync(CancellationToken cancellationToken)
    {
        await _lookingUp.WaitAsync(cancellationToken).ConfigureAwait(false);
        return _lookup is null
            ? _verifier.Finish(Count)
            : await _lookup.FinishAsync(_verifier, Count, null, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Refuses to combine the bytes of several responses if nothing shows that they are about the same content.</summary>
    private async Task CheckPinnedAsync(CancellationToken cancellationToken)
    {
        if (_isPinned)
        {
            return;
        }

        if (string.IsNullOrEmpty(Info.ETag) && (Address.VersionId ?? Info.VersionId) is null)
        {
            await _lookingUp.WaitAsync(cancellationToken).ConfigureAwait(false);
            if (_verifier.Way == VerificationStrategy.Nothing)
            {
                throw new TransferException(
                    $"{Address}: the store returned no ETag, no version, and no checksum, so a change of the object during the copy can't be detected; objects like this are copied only up to the size of one part")
                {
                    Bucket = Address.Bucket,
                    Key = Address.Key,
                };
            }
        }

        _isPinned = true;
    }

    /// <summary>Computes a checksum that needs the bytes in order, if one part has all of them.</summary>
    private async Task DigestAsync(PartBody body, CancellationToken cancellationToken)
    {
        await _lookingUp.WaitAsync(cancellationToken).ConfigureAwait(false);
        for (long at = 0; at < body.Length && _verifier.Way.IsInOrder;)
        {
            ReadOnlyMemory<byte> bytes = body.Read(at);
            _verifier.Append(bytes.Span);
            at += bytes.Length;
        }
    }

    /// <summary>Passes the chunks of a range to a part.</summary>
    private sealed class PartBodyWriter(PartBody body) : IPartWriter
    {
        /// <summary>Gets the CRCs of all ranges that were written.</summary>
        public CrcSet Crc { get; private set; } = new(CrcSet.Kinds.All);

        public bool IsStarved => false;

        public ValueTask WriteAsync(Chunk chunk, CancellationToken cancellationToken)
        {
            body.Add(chunk);
            return ValueTask.CompletedTask;
        }

        public void Wake(bool inline)
        {
        }

        public ValueTask CompleteAsync(RangeChecksum checksum, CancellationToken cancellationToken)
        {
            Crc = Crc.Then(checksum.Crc);
            checksum.Complete();
            return ValueTask.CompletedTask;
        }

        public void Fail(Exception error)
        {
        }
    }
}
