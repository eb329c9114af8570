using System.Runtime.ExceptionServices;
using Transfer.Buffers;
using Transfer.Integrity;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>The parts of one multipart upload: cuts the source, sends them side by side, keeps what the store confirmed.</summary>
internal sealed class PartSet(ClientContext context, UploadRequest request, IUploadSource source, TransferReporter reporter, string uploadId) : IDisposable
{
    private readonly Lock _gate = new();
    private readonly SortedDictionary<int, (UploadedPart Part, PartChecksumValue Checksum)> _done = [];
    private readonly TaskCompletionSource _allEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly SemaphoreSlim _window = new(request.MaxPartsInFlight);
    private int _active = 1; // the loop itself counts as one
    private int _begun;
    private Exception? _error;

    /// <summary>The parts in order, once all are there.</summary>
    public IReadOnlyList<UploadedPart> Uploaded => [.. _done.Values.Select(done => done.Part)];

    /// <summary>The object's checksum, once all parts are there.</summary>
    public ObjectChecksum Checksum()
    {
        ObjectChecksum checksum = new(request.Target.Checksum);
        foreach ((_, PartChecksumValue part) in _done.Values)
        {
            checksum.Add(part);
        }

        return checksum;
    }

    /// <summary>Reads and sends every part. When it returns or throws, no request of it is under way.</summary>
    public async Task SendAllAsync(UploadPlan plan, PartBody? first, CancellationToken cancellationToken)
    {
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            await BeginPartsAsync(plan, first, stop).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // kept, and thrown below when the requests have ended
        catch (Exception e)
#pragma warning restore CA1031
        {
            Fail(e, stop);
        }

        PartEnded();
        await _allEnded.Task.ConfigureAwait(false);
        if (_error is { } error)
        {
            cancellationToken.ThrowIfCancellationRequested();
            ExceptionDispatchInfo.Throw(error);
        }
    }

    /// <summary>Reads a part; what the source throws becomes the upload's failure.</summary>
    public static async ValueTask FillAsync(IUploadSource source, long offset, long count, PartBody body, CancellationToken cancellationToken)
    {
        try
        {
            await source.ReadPartAsync(offset, count, body, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is not TransferException && !cancellationToken.IsCancellationRequested)
        {
            throw new TransferException($"The source could not be read at byte {offset + body.Length}: {e.Message}", e);
        }
    }

    public void Dispose() => _window.Dispose();

    private async Task BeginPartsAsync(UploadPlan plan, PartBody? first, CancellationTokenSource stop)
    {
        long offset = 0;
        for (int number = 1; source.Length is not { } length || offset < length || number == 1; number++)
        {
            if (number > TransferDefaults.MaxParts)
            {
                first?.Dispose();
                throw new TransferException(
                    $"{request.Address}: the source did not end within {TransferDefaults.MaxParts} parts, {Sizes.Text(offset)}: choose a larger part size.");
            }

            PartBody body;
            long size;
            try
            {
                await _window.WaitAsync(stop.Token).ConfigureAwait(false);
                size = plan.SizeOf(number, context.Settings.MemoryBytes / 4);
                if (source.Length is { } total)
                {
                    size = Math.Min(size, total - offset);
                }

                body = first ?? await NewBodyAsync(size, stop.Token).ConfigureAwait(false);
            }
            catch
            {
                first?.Dispose();
                throw;
            }

            bool filled = first is not null;
            first = null;
            if (!filled && !source.ReadsAnywhere)
            {
                try
                {
                    await FillAsync(source, offset, size, body, stop.Token).ConfigureAwait(false);
                }
                catch
                {
                    body.Dispose();
                    throw;
                }

                filled = true;
            }

            bool last = filled && body.Length < size;
            if (last && body.Length == 0 && number > 1)
            {
                body.Dispose();
                break;
            }

            Interlocked.Increment(ref _active);
            _begun = number;
            _ = SendPartAsync(number, offset, size, body, filled, stop);
            offset += filled ? body.Length : size;
            if (last)
            {
                break;
            }
        }

        reporter.SetTotal(offset, _begun);
    }

    private async Task SendPartAsync(int number, long offset, long size, PartBody body, bool filled, CancellationTokenSource stop)
    {
        // Off the loop's stack at once: it has other parts to begin.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            using (body)
            {
                if (!filled)
                {
                    await FillAsync(source, offset, size, body, stop.Token).ConfigureAwait(false);
                }

                UploadedPart part = await context.Scheduler.SendAsync(
                    token => context.Wire.UploadPartAsync(request.Target, uploadId, number, body.AsSequence(), body.Checksum.ToBase64(), token),
                    reporter,
                    stop.Token).ConfigureAwait(false);
                lock (_gate)
                {
                    _done.Add(number, (part, new PartChecksumValue(body.Checksum.Crc, body.Checksum.Digest)));
                }

                reporter.AddBytes(body.Length);
                reporter.AddPart();
            }
        }
        catch (WireException e)
        {
            Fail(Failures.Of(request.Address, $"part {number}", number, e), stop);
        }
#pragma warning disable CA1031 // kept, and thrown where the upload ends
        catch (Exception e)
#pragma warning restore CA1031
        {
            Fail(e, stop);
        }

        _window.Release();
        PartEnded();
    }

    private async ValueTask<PartBody> NewBodyAsync(long size, CancellationToken cancellationToken)
    {
        ChunkLease lease = await context.Pool.LeaseAsync(MemoryUse.Transient, context.Pool.ChunksFor(size), revolving: false, cancellationToken).ConfigureAwait(false);
        return new PartBody(lease, request.Target.Checksum);
    }

    private void Fail(Exception error, CancellationTokenSource stop)
    {
        if (Interlocked.CompareExchange(ref _error, error, null) is null)
        {
            stop.Cancel();
        }
    }

    private void PartEnded()
    {
        if (Interlocked.Decrement(ref _active) == 0)
        {
            _allEnded.SetResult();
        }
    }
}
