using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>Sends the requests of one upload with a checksum that the store accepts.</summary>
internal sealed class ChecksumFallback
{
    private readonly TransferRun _run;
    private readonly UploadRequest _request;

    // Replaced if the store rejects its checksum, perhaps by another part between two attempts of this one.
    private NewObject _target;

    public ChecksumFallback(TransferRun run, UploadRequest request)
    {
        _run = run;
        _request = request;
        IsOpen = request.Target.Checksum == ChecksumAlgorithm.Auto;
        _target = IsOpen ? request.Target with { Checksum = run.Client.Profile.Checksum } : request.Target;
    }

    /// <summary>Gets a value that indicates whether the caller hasn't chosen the algorithm.</summary>
    public bool IsOpen { get; }

    /// <summary>Gets the object with the algorithm that the next request uses.</summary>
    public NewObject Target => Volatile.Read(ref _target);

    /// <summary>Uses the algorithm of an earlier run, unless the caller has chosen one.</summary>
    public void Use(ChecksumAlgorithm algorithm)
    {
        if (IsOpen)
        {
            _target = _target with { Checksum = algorithm };
        }
    }

    /// <summary>
    /// Sends a request with a checksum. If the caller hasn't chosen the algorithm and the store may have rejected it, the next one is tried. An algorithm that
    /// succeeds is remembered. If none succeeds, the checksum wasn't the cause, and the first error is thrown.
    /// </summary>
    public async Task<T> SendAsync<T>(Func<NewObject, Task<T>> sendAsync)
    {
        WireException? refusal = null;
        while (true)
        {
            NewObject target = Target;
            try
            {
                T result = await sendAsync(target).ConfigureAwait(false);
                if (refusal is not null)
                {
                    _run.Client.Profile.LearnChecksum(target.Checksum, refusal.Message);
                }

                return result;
            }
            catch (WireException e) when (IsOpen && Refusals.IsOfValue(e.StatusCode, e.ErrorCode))
            {
                refusal ??= e;
                if (Target == target)
                {
                    ChecksumAlgorithm next = StoreProfile.After(target.Checksum) ?? throw refusal;
                    Interlocked.CompareExchange(ref _target, target with { Checksum = next }, target);
                }
            }
            catch (WireException e) when (!IsOpen && _request.Copied is null && Refusals.IsOfValue(e.StatusCode, e.ErrorCode) && ChecksumTable.Find(target.Checksum) is { } chosen)
            {
                e.Hint ??= $"if the store doesn't support {chosen.Name} checksums, use {nameof(UploadOptions.Checksum)} {nameof(ChecksumAlgorithm.Auto)}, which selects one that it supports";
                throw;
            }
            catch (WireException e) when (refusal is not null && e.Kind == FailureKind.Final)
            {
                throw refusal;
            }
        }
    }
}
