using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Verification;

/// <summary>
/// Investigates a mismatch before it is reported. The checksum may not have been of the whole content, or the parts of a composite checksum may have
/// other lengths than assumed. A mismatch that can't be explained remains a mismatch.
/// </summary>
/// <param name="run">The transfer.</param>
/// <param name="rules">The object, and the requests that may be sent.</param>
/// <param name="info">The properties of the object from the first response.</param>
/// <param name="content">Appends all of the content to another digest, and returns false if some of it is gone; null if it can't be read again.</param>
internal sealed class MismatchReview(
    TransferRun run, VerificationRules rules, ObjectInfo info, Func<ContentDigest, CancellationToken, Task<bool>>? content)
{
    /// <summary>Investigates a mismatch.</summary>
    /// <param name="mismatch">The mismatch.</param>
    /// <param name="guess">The assumed parts of the checksum if the store did not list them.</param>
    /// <param name="cameWithRange">Whether the checksum was returned with a range.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The verdict if the content is correct or can't be compared with anything; null if the mismatch is confirmed.</returns>
    /// <exception cref="ChecksumMismatchException">The content doesn't match in another way, or the comparison wasn't possible.</exception>
    public async Task<ChecksumVerdict?> RunAsync(ChecksumMismatchException mismatch, PartLayout? guess, bool cameWithRange, CancellationToken cancellationToken)
    {
        if (cameWithRange)
        {
            return await LookUpAgainAsync(mismatch, cancellationToken).ConfigureAwait(false);
        }

        return guess is null ? null : await MeasureAsync(mismatch, guess, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Requests the checksum again. For a range that covers a whole object, stores, including Amazon S3, have returned the checksum of a part, or a
    /// composite checksum without saying so.
    /// </summary>
    private async Task<ChecksumVerdict?> LookUpAgainAsync(ChecksumMismatchException mismatch, CancellationToken cancellationToken)
    {
        ObjectHead head;
        try
        {
            head = await run.SendAsync(token => run.Client.Wire.HeadAsync(rules.Address, token), cancellationToken).ConfigureAwait(false);
        }
        catch (WireException)
        {
            return null;
        }

        if (head.Checksum is not { } stored || !ETags.AreSame(info.ETag, head.Info.ETag))
        {
            return null;
        }

        if (stored.Algorithm == mismatch.Algorithm && stored.Value == mismatch.Actual)
        {
            return ChecksumVerdict.Verified(stored.Algorithm, stored.Value);
        }

        int? parts = CompositeChecksum.GetPartCount(mismatch.Expected!);
        if (stored.Algorithm == mismatch.Algorithm && stored.IsComposite == parts is not null && CompositeChecksum.GetPartCount(stored.Value) == parts)
        {
            return null;
        }

        string reason = $"the store returned the checksum {mismatch.Expected} with a range, but {stored.Value} without one";
        if (content is null)
        {
            return ChecksumVerdict.Unverified(reason, stored.Algorithm, stored.Value);
        }

        PartLayout? layout = null;
        if (stored.IsComposite)
        {
            layout = await FindPartsAsync(stored, cancellationToken).ConfigureAwait(false);
            if (layout is null)
            {
                return ChecksumVerdict.Unverified($"{reason}, whose parts it does not list", stored.Algorithm, stored.Value);
            }
        }

        return await CompareAsync(stored, layout, cancellationToken).ConfigureAwait(false) ?? ChecksumVerdict.Unverified(reason, stored.Algorithm, stored.Value);
    }

    /// <summary>Requests the length of every part.</summary>
    private async Task<ChecksumVerdict?> MeasureAsync(ChecksumMismatchException mismatch, PartLayout guess, CancellationToken cancellationToken)
    {
        string? failure = "the store did not return them";
        PartLayout? measured = null;
        try
        {
            measured = await new PartLayoutFinder(run, rules.Address, info, guess.LengthsBytes.Count).MeasureAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error != TransferError.LimitReached)
        {
            failure = e.Message;
        }

        if (measured is null)
        {
            throw ContentVerifier.Mismatch(
                rules.Address,
                new StoredChecksum { Algorithm = mismatch.Algorithm, Value = mismatch.Expected!, IsComposite = true },
                mismatch.Actual!,
                $" This checksum covers {guess.LengthsBytes.Count} parts. They are assumed to be as long as the first one, because their lengths could not be determined: {failure}");
        }

        if (measured.LengthsBytes.SequenceEqual(guess.LengthsBytes))
        {
            return null;
        }

        StoredChecksum stored = new() { Algorithm = mismatch.Algorithm, Value = mismatch.Expected!, IsComposite = true };
        return await CompareAsync(stored, measured, cancellationToken).ConfigureAwait(false)
            ?? ChecksumVerdict.Unverified(
                "the store holds a composite checksum, and the lengths of its parts became known only after the content was returned", stored.Algorithm, stored.Value);
    }

    private async Task<PartLayout?> FindPartsAsync(StoredChecksum stored, CancellationToken cancellationToken)
    {
        if (CompositeChecksum.GetPartCount(stored.Value) is not { } count)
        {
            return null;
        }

        try
        {
            PartLayoutFinder finder = new(run, rules.Address, info, count) { MayAsk = rules.MayAskForParts };
            return await finder.FindAsync(mayList: true, cancellationToken).ConfigureAwait(false) is { IsGuess: false } listed
                ? listed
                : await finder.MeasureAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error != TransferError.LimitReached)
        {
            return null;
        }
    }

    /// <summary>Compares all of the content with another checksum.</summary>
    /// <returns>Null if the content is gone.</returns>
    private async Task<ChecksumVerdict?> CompareAsync(StoredChecksum stored, PartLayout? layout, CancellationToken cancellationToken)
    {
        using ContentDigest digest = new(stored.Algorithm, layout?.LengthsBytes);
        if (content is null || !await content(digest, cancellationToken).ConfigureAwait(false))
        {
            return null;
        }

        string? actual = digest.ToBase64();
        return actual == stored.Value
            ? ChecksumVerdict.Verified(stored.Algorithm, stored.Value)
            : throw ContentVerifier.Mismatch(rules.Address, stored, actual ?? "unknown");
    }
}
