using Transfer.Integrity;
using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>
/// Finds out what an object's content can be compared with, and tells the verifier. Where the first answer did not bring a checksum, the store is asked for it
/// beside the parts: Amazon S3 sends it with a range only where that is exactly one stored part (Amazon S3 User Guide, "Checking object integrity").
/// </summary>
/// <param name="context">What the client's transfers share.</param>
/// <param name="request">The download.</param>
/// <param name="info">What the first answer told of the object.</param>
/// <param name="reporter">Counts the requests.</param>
internal sealed class ChecksumLookup(ClientContext context, DownloadRequest request, ObjectInfo info, TransferReporter reporter)
{
    private bool _cameWithRange;

    /// <summary>Tells the verifier what there is to compare: a checksum, or else an entity tag that is the content's MD5; or why there is nothing.</summary>
    /// <param name="verifier">The download's.</param>
    /// <param name="toldAll">Whether the first answer told all that the store knows, and nothing is to be asked.</param>
    /// <param name="cancellationToken">Ends it, with the transfer.</param>
    public async Task RunAsync(ContentVerifier verifier, bool toldAll, CancellationToken cancellationToken)
    {
        try
        {
            string reason = info.ChecksumNotRequested ?? "the store told no checksum";
            StoredChecksum? stored = info.Checksum;
            _cameWithRange = stored is not null && !toldAll;
            try
            {
                stored ??= toldAll ? null : await AskAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (WireException e)
            {
                reason = $"the store did not tell its checksum: {e.Message}";
            }

            if (stored is null)
            {
                TryTag(verifier, reason);
            }
            else
            {
                await ExpectAsync(verifier, CompositeChecksum.Complete(stored, info.ETag), cancellationToken).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            // The transfer has ended: nobody asks any more.
        }
    }

    /// <summary>Whether the parts are as they were guessed. Where they are not, a difference says nothing of the content.</summary>
    public async Task<bool> IsRightAsync(PartLayout guess, CancellationToken cancellationToken)
    {
        try
        {
            PartLayout? measured = await new PartLayoutFinder(context, request.Address, info, guess.LengthsBytes.Count, reporter).MeasureAsync(cancellationToken).ConfigureAwait(false);
            return measured is not null && measured.LengthsBytes.SequenceEqual(guess.LengthsBytes);
        }
        catch (TransferException)
        {
            return false;
        }
    }

    /// <summary>
    /// Asks for the checksum again when the content is not what the store told with a range. Stores, Amazon S3 among them, have sent with a range that is all of an
    /// object the checksum of a part, or one of the parts' checksums without saying so.
    /// </summary>
    /// <returns>The verdict where the content may be right all the same; null where the mismatch stands.</returns>
    public async Task<ChecksumVerdict?> ReviewAsync(ChecksumMismatchException mismatch, CancellationToken cancellationToken)
    {
        if (!_cameWithRange)
        {
            return null;
        }

        ObjectInfo head;
        try
        {
            head = await HeadAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (WireException)
        {
            return null;
        }

        if (head.Checksum is null || !ETags.AreSame(info.ETag, head.ETag))
        {
            return null;
        }

        StoredChecksum stored = CompositeChecksum.Complete(head.Checksum, head.ETag);
        int? parts = CompositeChecksum.PartsOf(mismatch.Expected!);
        bool isOfThatKind = stored.Algorithm == mismatch.Algorithm && stored.IsComposite == parts is not null && CompositeChecksum.PartsOf(stored.Value) == parts;
        return !isOfThatKind
            ? ChecksumVerdict.Unverified($"the store told {mismatch.Expected} as the checksum with a range, and {stored.Value} without one", stored.Algorithm, stored.Value)
            : stored.Value == mismatch.Actual ? ChecksumVerdict.Verified(stored.Algorithm, stored.Value)
            : null;
    }

    private async Task<StoredChecksum?> AskAsync(CancellationToken cancellationToken)
    {
        if (!context.RefusesAttributes)
        {
            try
            {
                return await context.Scheduler.SendAsync(
                    token => context.Wire.GetAttributesChecksumAsync(request.Address, info.ETag, token), reporter, cancellationToken).ConfigureAwait(false);
            }
            catch (WireException e) when (!e.MayRetry)
            {
                // Not every store has the call, and it needs a right of its own.
                context.RefusesAttributes |= !(ErrorKinds.PassesWithCredentials(e.ErrorCode) || e.ErrorCode is "NoSuchKey" or "NoSuchVersion");
                if (request.Hint is not null)
                {
                    throw;
                }
            }
        }

        // A HEAD tells as much and every reader may send it; but none is ever sent where the caller gave a hint.
        if (request.Hint is not null)
        {
            return null;
        }

        ObjectInfo head = await HeadAsync(cancellationToken).ConfigureAwait(false);
        return ETags.AreSame(info.ETag, head.ETag) ? head.Checksum : null;
    }

    private Task<ObjectInfo> HeadAsync(CancellationToken cancellationToken)
        => context.Scheduler.SendAsync(token => context.Wire.HeadAsync(request.Address, token), reporter, cancellationToken);

    private async Task ExpectAsync(ContentVerifier verifier, StoredChecksum stored, CancellationToken cancellationToken)
    {
        if (!stored.IsComposite)
        {
            verifier.Expect(stored);
            return;
        }

        string reason = "the store does not tell the lengths of the parts";
        PartLayout? layout = null;
        try
        {
            if (CompositeChecksum.PartsOf(stored.Value) is { } count)
            {
                PartLayoutFinder finder = new(context, request.Address, info, count, reporter) { MayAsk = request.AsksForParts, MayHead = request.Hint is null };
                layout = await finder.FindAsync(mayList: true, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (TransferException e)
        {
            reason = e.Message;
        }

        if (layout is null)
        {
            verifier.GiveUp($"the store holds a checksum of the parts' checksums ({stored.Algorithm.Name()}, {stored.Value}), and {reason}");
        }
        else
        {
            verifier.Expect(stored, layout);
        }
    }

    private void TryTag(ContentVerifier verifier, string reason)
    {
        if (!Md5Tag.TryRead(info.ETag, out string? md5))
        {
            verifier.GiveUp($"{reason}, and the entity tag is no MD5 of the content");
        }
        else if (info.HidesMd5)
        {
            verifier.GiveUp($"{reason}, and the entity tag of an object that is encrypted, or stored, like this one is no MD5 of the content");
        }
        else if (!request.VerifiesMd5)
        {
            verifier.GiveUp($"{reason}, and the MD5 that is the entity tag was not to be computed");
        }
        else
        {
            verifier.Expect(new StoredChecksum(ChecksumAlgorithm.Md5, md5, IsComposite: false));
        }
    }
}
