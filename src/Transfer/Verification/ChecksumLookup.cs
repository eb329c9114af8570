using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Verification;

/// <summary>
/// Determines which checksum the content can be compared with, and passes it to the verifier. If the first response contains no checksum, it is
/// requested while the parts are downloaded: Amazon S3 sends it with a range only if the range is exactly one stored part (Amazon S3 User Guide,
/// "Checking object integrity").
/// </summary>
/// <param name="run">The transfer.</param>
/// <param name="rules">The object, and the requests that may be sent.</param>
/// <param name="head">What the first response tells about the object.</param>
/// <param name="answer">How much of the object the first response contains.</param>
internal sealed class ChecksumLookup(TransferRun run, VerificationRules rules, ObjectHead head, FirstResponse answer)
{
    /// <summary>The size of the largest object whose MD5 is computed instead of requesting another checksum, because a request costs more.</summary>
    public const long MaxMd5Bytes = Sizes.MiB;

    /// <summary>
    /// The number of consecutive small objects without a checksum after which checksums of a bucket aren't requested. These requests would double the number of
    /// requests of callers that read many small objects.
    /// </summary>
    public const int Few = 3;

    /// <summary>The number of objects whose checksums aren't requested then. After them, one is, on behalf of the next ones.</summary>
    public const int Skipped = 1_000;

    private string Bucket => rules.Address.Bucket;

    private bool HidesMd5 => ETags.HideMd5(rules.Address, head.Info.Encryption);

    /// <summary>Gets a value that indicates whether another lookup would come to the same result. False if the store failed for a moment.</summary>
    public bool IsFinal { get; private set; } = true;

    /// <summary>Gets a value that indicates whether a request may be needed to determine what to compare the content with.</summary>
    public bool IsToAsk => head.Checksum is { } stored ? stored.IsComposite : answer != FirstResponse.AllWithChecksum;

    /// <summary>
    /// Passes to the verifier what to compare the content with, a checksum or an ETag that is an MD5, or the reason why there is nothing.
    /// </summary>
    /// <param name="verifier">The verifier of the download.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation. It is canceled with the transfer.</param>
    public async Task RunAsync(ContentVerifier verifier, CancellationToken cancellationToken)
    {
        try
        {
            StoredChecksum? stored = head.Checksum;
            string? reason = stored is null ? WhyNotToAsk() : null;
            if (stored is null && reason is null)
            {
                (stored, reason) = await LookUpAsync(cancellationToken).ConfigureAwait(false);
            }

            if (stored is null)
            {
                TryTag(verifier, reason!);
            }
            else
            {
                await ExpectAsync(verifier, stored, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            // The transfer has ended, so the result is no longer needed.
        }
    }

    /// <summary>Compares all of the content. If there is a mismatch that the store's responses may have caused, it is investigated.</summary>
    /// <param name="verifier">The verifier of the download, which has received all of the content.</param>
    /// <param name="length">The length of the content, in bytes.</param>
    /// <param name="content">Appends all of the content to another digest, and returns false if some of it is gone; null if it can't be read again.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="ChecksumMismatchException">The content doesn't match the store's checksum, or a mismatch can't be ruled out.</exception>
    public async Task<ChecksumVerdict> FinishAsync(
        ContentVerifier verifier, long length, Func<ContentDigest, CancellationToken, Task<bool>>? content, CancellationToken cancellationToken)
    {
        try
        {
            return verifier.Finish(length);
        }
        catch (ChecksumMismatchException e)
        {
            MismatchReview review = new(run, rules, head.Info, content);
            bool cameWithRange = head.Info.Checksum is not null && answer != FirstResponse.AllWithChecksum;
            if (await review.RunAsync(e, verifier.Guess, cameWithRange, cancellationToken).ConfigureAwait(false) is { } verdict)
            {
                return verdict;
            }

            throw;
        }
    }

    /// <summary>Gets the reason why no checksum is requested although the store returned none; null if it is requested.</summary>
    private string? WhyNotToAsk()
    {
        const string Nothing = "the store returned no checksum";
        if (answer == FirstResponse.AllWithChecksum)
        {
            return head.ChecksumNotRequested ?? Nothing; // the response contains everything that the store knows
        }

        if (answer != FirstResponse.All)
        {
            return null;
        }

        if (head.Info.Length <= MaxMd5Bytes && rules.ComparesMd5 && !HidesMd5 && Md5Tag.TryRead(head.Info.ETag, out _))
        {
            return head.ChecksumNotRequested ?? Nothing;
        }

        return run.Client.Profile.TrySkip(StoreTrait.SmallObjectChecksums, Bucket, Skipped)
            ? $"the store was not asked for a checksum, because it returned none for the last {Few} objects of this size"
            : null;
    }

    private async Task<(StoredChecksum? Stored, string Reason)> LookUpAsync(CancellationToken cancellationToken)
    {
        StoredChecksum? stored = null;
        string reason = head.ChecksumNotRequested ?? "the store returned no checksum";
        try
        {
            (stored, reason) = await LookUpAsync(reason, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            reason = $"the store did not return its checksum: {e.Message}";
            IsFinal = !e.MayRetry;
        }

        if (answer == FirstResponse.All && IsFinal)
        {
            if (stored is null)
            {
                run.Client.Profile.Observe(StoreTrait.SmallObjectChecksums, Bucket, Few, StoreSupport.Ignored, $"{Few} consecutive objects had none");
            }
            else
            {
                run.Client.Profile.Forget(StoreTrait.SmallObjectChecksums, Bucket);
            }
        }

        return (stored, reason);
    }

    private async Task<(StoredChecksum? Stored, string Reason)> LookUpAsync(string reason, CancellationToken cancellationToken)
    {
        // A HEAD request returns the checksum too, and every reader may send it.
        string? unsupported = run.Client.Profile.NoAttributes;
        if (rules.MayHead ? !run.Client.Profile.RefusesAttributes(Bucket) : unsupported is null)
        {
            try
            {
                return (await run.SendAsync(
                    token => run.Client.Wire.GetAttributesChecksumAsync(rules.Address, head.Info.ETag, token), cancellationToken).ConfigureAwait(false), reason);
            }
            catch (WireException e) when (!e.MayRetry)
            {
                // Not every store supports the call, and it requires a separate permission.
                run.Client.Profile.LearnAttributes(Bucket, e);
                if (!rules.MayHead)
                {
                    throw;
                }
            }
        }

        if (!rules.MayHead)
        {
            return (null, $"the store was not asked for a checksum, because it does not support GetObjectAttributes ({unsupported})");
        }

        ObjectHead asked = await run.SendAsync(token => run.Client.Wire.HeadAsync(rules.Address, token), cancellationToken).ConfigureAwait(false);
        return (ETags.AreSame(head.Info.ETag, asked.Info.ETag) ? asked.Checksum : null, reason);
    }

    private async Task ExpectAsync(ContentVerifier verifier, StoredChecksum stored, CancellationToken cancellationToken)
    {
        if (!stored.IsComposite)
        {
            verifier.Expect(stored);
            return;
        }

        string reason = "the store does not return the lengths of the parts";
        PartLayout? layout = null;
        if (CompositeChecksum.GetPartCount(stored.Value) is { } count)
        {
            PartLayoutFinder finder = new(run, rules.Address, head.Info, count) { MayAsk = rules.MayAskForParts, MayHead = rules.MayHead };
            try
            {
                layout = await finder.FindAsync(mayList: true, cancellationToken).ConfigureAwait(false);
                reason = finder.ListFailure is { } failure ? $"{reason} ({failure})" : reason;
            }
            catch (TransferException e) when (e.Error != TransferError.LimitReached)
            {
                reason = e.Message;
            }
        }

        if (layout is null)
        {
            verifier.GiveUp($"the store holds a composite checksum ({stored.Algorithm.Name()}, {stored.Value}), and {reason}");
        }
        else
        {
            verifier.Expect(stored, layout);
        }
    }

    private void TryTag(ContentVerifier verifier, string reason)
    {
        if (!Md5Tag.TryRead(head.Info.ETag, out string? md5))
        {
            verifier.GiveUp($"{reason}, and the ETag is not an MD5 of the content");
        }
        else if (HidesMd5)
        {
            verifier.GiveUp($"{reason}, and the ETag is not an MD5 of the content, because the object is encrypted or in a directory bucket");
        }
        else if (!rules.ComparesMd5)
        {
            verifier.GiveUp($"{reason}, and the ETag was not compared, because MD5 verification is turned off");
        }
        else
        {
            verifier.Expect(new StoredChecksum { Algorithm = ChecksumAlgorithm.Md5, Value = md5, IsComposite = false });
        }
    }
}
