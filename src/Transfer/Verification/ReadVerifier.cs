using System.Runtime.ExceptionServices;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Verification;

/// <summary>
/// Compares what was read with checksums of the store: the whole object when every byte was fetched, or parts that were fetched completely. It sends no request
/// before as many bytes were fetched as a part has.
/// </summary>
/// <param name="run">The transfer.</param>
/// <param name="rules">The object, and the requests that may be sent.</param>
/// <param name="answer">How much of the object the first response contains.</param>
/// <param name="sums">What was fetched.</param>
/// <param name="length">The length of the object, in bytes.</param>
internal sealed class ReadVerifier(TransferRun run, VerificationRules rules, FirstResponse answer, ContentSums sums, long length) : IDisposable
{
    private readonly SemaphoreSlim _turn = new(1);
    private (ContentVerifier Verifier, ChecksumLookup Lookup)? _expected;
    private int _hasAsked;
    private int _hasAskedForParts;
    private string? _reason;

    /// <summary>Gets the CRCs of what was fetched.</summary>
    public ContentSums Sums => sums;

    /// <summary>Gets a value that indicates whether every byte was fetched and not yet compared, or whether the content doesn't match.</summary>
    public bool IsDue => sums.Mismatch is not null || (sums.IsComplete && sums.Whole is null);

    /// <summary>Gets the verdict of a reader that has read nothing yet.</summary>
    public static ReadVerdict NothingRead { get; } = new() { BytesRead = 0, BytesVerified = 0, Reason = "nothing was read" };

    public ReadVerdict Verdict
    {
        get
        {
            long inParts = sums.Parts?.VerifiedBytes ?? 0; // before the number of all bytes, so that it is never ahead of them
            ChecksumVerdict? whole = sums.Whole;
            long read = sums.Bytes;
            ReadVerdict verdict = new() { BytesRead = read, BytesVerified = whole is { IsVerified: true } ? read : inParts, Content = whole };
            return verdict.IsVerified ? verdict : verdict with
            {
                Reason = sums.Mismatch?.Message
                    ?? whole?.Reason
                    ?? (read == 0 ? NothingRead.Reason : _reason ?? "the store's checksums cover the whole object or whole parts, of which only a portion was read"),
            };
        }
    }

    /// <summary>Gets the verdict of a reader that doesn't verify.</summary>
    /// <param name="bytes">The number of bytes that were returned.</param>
    public static ReadVerdict TurnedOff(long bytes) => new() { BytesRead = bytes, BytesVerified = 0, Reason = "verification was turned off" };

    /// <summary>Adds a page that was fetched, and compares the part that it completes, if its checksum is known.</summary>
    /// <param name="page">The number of the page.</param>
    /// <param name="pageBytes">The number of bytes in a page.</param>
    /// <param name="data">The content.</param>
    /// <returns>Whether there is more to compare than before: the page is the last one of its cell.</returns>
    /// <exception cref="ChecksumMismatchException">
    /// The page was fetched before and is different now, the part doesn't match, or another page of the object was already found to be damaged.
    /// </exception>
    public bool Add(long page, int pageBytes, ReadOnlySpan<byte> data)
    {
        ThrowIfDamaged();
        if (sums.TryAdd(page, data, out bool isCellComplete))
        {
            if (isCellComplete)
            {
                CompareParts(page * pageBytes, (page * pageBytes) + data.Length);
                ThrowIfDamaged();
            }

            return isCellComplete;
        }

        ObjectAddress address = rules.Address;
        sums.Mismatch = new ChecksumMismatchException(
            $"{address}: bytes {page * pageBytes}-{(page * pageBytes) + data.Length - 1} are different from those that were read before, although the store says that the object is the same.")
        {
            Bucket = address.Bucket,
            Key = address.Key,
            Algorithm = ChecksumAlgorithm.Crc64Nvme,
        };
        throw sums.Mismatch;
    }

    /// <summary>Gets a value that indicates whether the checksum of the object can be requested before all was read. It is true only once.</summary>
    public bool TryAsk() => sums is { Head: not null, Whole: null, IsComplete: false } && Interlocked.Exchange(ref _hasAsked, 1) == 0;

    /// <summary>Requests the checksum of the object, so that only that kind is computed from then on.</summary>
    public async Task AskAsync(CancellationToken cancellationToken)
    {
        try
        {
            await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
            try
            {
                await ExpectAsync(sums.Head!, isLast: false, cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                _turn.Release();
            }
        }
        catch (OperationCanceledException)
        {
            // The stream was disposed.
        }
        catch (TransferException)
        {
            // The comparison at the end asks again.
        }
    }

    /// <summary>Gets a value that indicates whether the checksums of parts could be compared, but aren't known. It is true only once.</summary>
    public bool TryAskForParts()
        => Volatile.Read(ref _hasAskedForParts) == 0
            && sums is { Parts: null, Head.Info: { } info }
            && Md5Tag.GetPartCount(info.ETag) is > 1 and int count
            && sums.Bytes >= length / count
            && !sums.IsComplete
            && Interlocked.Exchange(ref _hasAskedForParts, 1) == 0;

    /// <summary>
    /// Requests the checksums of the parts, and compares those that were fetched completely. The next read throws a mismatch. Failures are the reason of the verdict.
    /// </summary>
    public async Task AskForPartsAsync(CancellationToken cancellationToken)
    {
        try
        {
            sums.Parts ??= new PartSums(await ListAsync(cancellationToken).ConfigureAwait(false));
            CompareParts(0, length);
        }
        catch (WireException e)
        {
            if (e.MayRetry)
            {
                Volatile.Write(ref _hasAskedForParts, 0); // the next cell asks again
            }
            else
            {
                run.Client.Profile.LearnAttributes(rules.Address.Bucket, e);
            }

            _reason = $"the store did not return the checksums of the parts: {e.Message}";
        }
        catch (OperationCanceledException)
        {
            // The stream was disposed.
        }
    }

    /// <summary>Compares the whole object if every byte was fetched, once.</summary>
    /// <param name="content">Passes all bytes in order; returns whether they are still there.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="ChecksumMismatchException">The content doesn't match a checksum.</exception>
    public async Task CompareAsync(Func<Action<ReadOnlyMemory<byte>>, bool> content, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            ThrowIfDamaged();
            if (sums is { IsComplete: true, Whole: null })
            {
                sums.Whole = await CompareWholeAsync(content, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (ChecksumMismatchException e)
        {
            sums.Mismatch = e;
            throw;
        }
        finally
        {
            _turn.Release();
        }
    }

    public void Dispose()
    {
        _expected?.Verifier.Dispose();
        _turn.Dispose();
    }

    private void ThrowIfDamaged()
    {
        if (sums.Mismatch is { } mismatch)
        {
            ExceptionDispatchInfo.Throw(mismatch);
        }
    }

    /// <summary>Compares the parts in a range that were fetched completely, if their checksums are known.</summary>
    private void CompareParts(long from, long end)
    {
        if (sums.Parts?.Compare(sums, from, end) is var (number, expected, actual))
        {
            sums.Mismatch = ContentVerifier.Mismatch(rules.Address, expected, actual, $" This is the checksum of part {number}.");
        }
    }

    /// <summary>Determines what to compare with.</summary>
    /// <param name="head">What the first response tells about the object.</param>
    /// <param name="isLast">Whether the content is compared now. Otherwise, the store is asked again later if it fails for a moment.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>Null if the store is asked again later.</returns>
    private async Task<(ContentVerifier Verifier, ChecksumLookup Lookup)?> ExpectAsync(ObjectHead head, bool isLast, CancellationToken cancellationToken)
    {
        if (_expected is { } known)
        {
            return known;
        }

        ContentVerifier verifier = new(rules.Address, enabled: true);
        ChecksumLookup lookup = new(run, rules, head, answer);
        try
        {
            await lookup.RunAsync(verifier, cancellationToken).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }
        catch
        {
            verifier.Dispose();
            throw;
        }

        if (!lookup.IsFinal && !isLast)
        {
            verifier.Dispose();
            return null;
        }

        sums.Keep(verifier.Way.Kinds);
        _expected = (verifier, lookup);
        return _expected;
    }

    private async Task<ChecksumVerdict> CompareWholeAsync(Func<Action<ReadOnlyMemory<byte>>, bool> content, CancellationToken cancellationToken)
    {
        if (sums.Head is not { } head)
        {
            return ChecksumVerdict.Unverified("no response has told what the checksum is");
        }

        (ContentVerifier verifier, ChecksumLookup lookup) = (await ExpectAsync(head, isLast: true, cancellationToken).ConfigureAwait(false))!.Value;
        if (verifier.Way.IsInOrder && !content(data => verifier.Append(data.Span)))
        {
            return ChecksumVerdict.Unverified("the checksum must be computed in the order of the object, and not all of it is cached");
        }

        if (verifier.Way is { IsCut: true } && sums.CellBytes > RangeChecksum.CutBytes)
        {
            return ChecksumVerdict.Unverified("the chunks of the client are larger than the distance between the ends of stored parts");
        }

        RangeChecksum whole = verifier.Begin(0);
        sums.AppendTo(whole);
        whole.Complete();
        return await lookup.FinishAsync(
            verifier, length, (digest, _) => Task.FromResult(content(data => digest.Append(data.Span))), cancellationToken).ConfigureAwait(false);
    }

    private async Task<List<(long Length, StoredChecksum? Checksum)>> ListAsync(CancellationToken cancellationToken)
    {
        List<(long Length, StoredChecksum? Checksum)> parts = [];
        if (run.Client.Profile.RefusesAttributes(rules.Address.Bucket))
        {
            _reason = "the store does not return the checksums of parts";
            return parts;
        }

        await foreach (Page<ListedPart> page in Pages.ReadAsync<ListedPart>(
            (after, stopping) => run.SendAsync(
                token => run.Client.Wire.ListStoredPartsAsync(rules.Address, sums.Head!.Info.ETag, after, token), stopping),
            cancellationToken).ConfigureAwait(false))
        {
            parts.AddRange(page.Items.Select(static part => (part.Length, part.Checksum)));
            if (parts.Count >= TransferDefaults.MaxParts)
            {
                break;
            }
        }

        if (parts.Count == 0)
        {
            _reason = "the store did not return the checksums of the parts";
        }

        return parts.Sum(static part => part.Length) == length && parts.TrueForAll(static part => part.Length > 0) ? parts : [];
    }
}
