using Transfer.S3.Download;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Verification;
using Transfer.S3.Wire;

namespace Transfer.S3.Copy;

/// <summary>Copies an object from one store to another. The ranges of the source are received into the memory of the target's parts.</summary>
/// <param name="source">The client of the source.</param>
/// <param name="target">The client of the target. Its memory budget holds the data.</param>
/// <param name="options">The options.</param>
internal sealed class StoreCopy(ClientContext source, ClientContext target, StoreCopyOptions options)
{
    /// <summary>
    /// The share of the memory that a part can have to get the size of the source's parts. Larger parts would leave too little memory to send several at a time.
    /// </summary>
    private const int MostOfMemory = 8;

    /// <summary>Validates the options for an object.</summary>
    public (DownloadRequest Source, UploadRequest Target) Check(S3Uri from, S3Uri to)
        => (GetSource(from.Bucket, from.Key, options.SourceVersionId), GetTarget(to.Bucket, to.Key));

    /// <summary>Gets the requests for one of many objects, whose version and listed ETag the plan has.</summary>
    private (DownloadRequest Source, UploadRequest Target) Check(CopyPlan plan)
    {
        DownloadRequest reading = GetSource(plan.Source.Bucket, plan.Source.Key, plan.Source.VersionId);
        return (
            plan.SourceETag is { } etag ? reading with { Condition = new ReadCondition { IfMatch = ETags.Quoted(etag) } } : reading,
            GetTarget(plan.Target.Bucket, plan.Target.Key));
    }

    private DownloadRequest GetSource(string bucket, string key, string? versionId)
    {
        DownloadOptions reading = new()
        {
            VersionId = versionId,
            Range = options.SourceRange,
            CustomerKey = options.SourceCustomerKey,
            RequesterPays = options.SourceRequesterPays,
            Verify = options.VerifySource,
        };
        DownloadRequest request = DownloadRequest.ForPrefix(bucket, key, reading, source.Settings);
        return request with { Address = request.Address.WithHeaders };
    }

    private UploadRequest GetTarget(string bucket, string key) => UploadRequest.ForPrefix(bucket, key, options.Target, target.Settings);

    /// <summary>Gets the requests that copy one of many objects, if none fails and the parts of the target have their usual size.</summary>
    /// <param name="plan">The copy.</param>
    /// <param name="length">The length.</param>
    /// <param name="isStaged">Whether it is published together with others.</param>
    public StoreUsage Estimate(CopyPlan plan, long length, bool isStaged)
    {
        UploadRequest to = GetTarget(plan.Target.Bucket, plan.Target.Key);
        int ranges = to.TakesOnePut(length) ? length > to.PartSizeBytes ? 2 : 1 : to.Plan(length).TotalParts!.Value;
        StoreUsage reading = (RequestKind.GetObject.ToUsage() * ranges) with { BytesReceived = length };
        reading += options.VerifySource && length > ChecksumLookup.MaxMd5Bytes ? RequestKind.GetObjectAttributes.ToUsage() : default;
        return to.Estimate(length, isStaged) + reading + TagLookup.Estimate(source.Profile, plan.Source.Bucket);
    }

    /// <summary>Copies one of many objects.</summary>
    public async Task<CompletedCopy> RunAsync(CopyPlan plan, long? expectedBytes, TransferRun whole, TransferRun writing, CancellationToken cancellationToken)
    {
        (DownloadRequest from, UploadRequest to) = Check(plan);
        TransferRun reading = source.BeginCounting(plan.Source.Bucket, plan.Source.Key, whole);
        to = to with { Presence = plan.Presence, ProvesCondition = true };
        return await reading.EndAfterAsync(RunAsync(from, to, expectedBytes, reading, writing, cancellationToken)).ConfigureAwait(false);
    }

    /// <param name="from">The source.</param>
    /// <param name="to">The target.</param>
    /// <param name="expectedBytes">The size of the source in a listing; null if it isn't known.</param>
    /// <param name="reading">The call at the source.</param>
    /// <param name="writing">The transfer, which is a call at the target.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<CompletedCopy> RunAsync(
        DownloadRequest from, UploadRequest to, long? expectedBytes, TransferRun reading, TransferRun writing, CancellationToken cancellationToken)
    {
        (ObjectSource content, KeptProperties kept, UploadRequest request) = await OfSourceAsync(
            async () =>
            {
                // If an earlier copy has left parts, the first one is most likely there. One byte tells what the object is.
                long first = UploadJournal.Exists(target, to.Address) ? 1 : Math.Min(to.PartSizeBytes, Math.Max(1, expectedBytes ?? long.MaxValue));
                ObjectSource opened = await ObjectSource.OpenAsync(reading, from, first, cancellationToken).ConfigureAwait(false);
                try
                {
                    KeptProperties found = new(opened.Head, options.Target, target.Wire.SendsExpiresAsText(to.Address.Bucket));
                    await found.ReadTagsAsync(reading, opened.Address, opened.Info, cancellationToken).ConfigureAwait(false);
                    return (opened, found, await WithPartsOfSourceAsync(to, opened, reading, cancellationToken).ConfigureAwait(false));
                }
                catch
                {
                    await opened.DisposeAsync().ConfigureAwait(false);
                    throw;
                }
            }).ConfigureAwait(false);
        await using (content.ConfigureAwait(false))
        {
            PublishedUpload published;
            try
            {
                published = await new UploadCoordinator(writing, WithProperties(request, kept) with { SourceEncryption = kept.Encryption }, content).RunAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (TransferException e)
            {
                e.CopySide ??= CopySide.Target;
                throw;
            }

            CopyResult result = new()
            {
                ETag = published.Object.ETag,
                SourceETag = content.Info.ETag,
                VersionId = published.Object.VersionId,
                Verdict = GetVerdict(content, published),
                LostProperties = kept.LostBy(published.Object, isByStore: false),
                Parts = published.Parts,
                Statistics = writing.Reporter.GetStatistics(reading.Reporter),
            };
            return new CompletedCopy(result, content.Info);
        }
    }

    /// <summary>Opens the range of <see cref="StoreCopyOptions.SourceRange"/>, to copy it as some of the parts of an upload.</summary>
    /// <param name="plan">The source and the target.</param>
    /// <param name="whole">The call that this one is part of, at the source.</param>
    /// <param name="writing">The transfer, which is a call at the target.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<UploadRange> OpenRangeAsync(CopyPlan plan, TransferRun whole, TransferRun writing, CancellationToken cancellationToken)
    {
        (DownloadRequest from, UploadRequest to) = Check(plan);
        TransferRun reading = source.BeginCounting(plan.Source.Bucket, plan.Source.Key, whole);
        ObjectSource content;
        try
        {
            content = await OfSourceAsync(() => ObjectSource.OpenAsync(reading, from, to.PartSizeBytes, cancellationToken)).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            await reading.Reporter.EndAsync(e).ConfigureAwait(false);
            throw;
        }

        return new UploadRange(writing, to, content, 0, DescribeAsync, CloseAsync);

        async Task<UploadDescription> DescribeAsync(CancellationToken stopping)
        {
            // The response to the request of a range has no checksum of the object.
            ObjectHead head = await OfSourceAsync(() => ObjectLookup.HeadAsync(reading, from.Address, stopping)).ConfigureAwait(false);
            CopySource described = ETags.AreSame(head.Info.ETag, content.Info.ETag)
                ? new CopySource(from.Address, head)
                : throw new TransferException($"{from.Address} was replaced while it was being copied.") { Error = TransferError.ObjectChanged, Bucket = from.Address.Bucket, Key = from.Address.Key };
            KeptProperties kept = new(head, options.Target, target.Wire.SendsExpiresAsText(to.Address.Bucket));
            await kept.ReadTagsAsync(reading, content.Address, head.Info, stopping).ConfigureAwait(false);
            return kept.AddTo(new UploadDescription(WithProperties(to, kept)) { SourceChecksum = options.VerifySource ? described.FullObjectChecksum : null });
        }

        async ValueTask CloseAsync()
        {
            await content.DisposeAsync().ConfigureAwait(false);
            await reading.Reporter.EndAsync(null).ConfigureAwait(false);
        }
    }

    /// <summary>Adds the properties of the source. What one store accepted may exceed the limits of another one.</summary>
    private static UploadRequest WithProperties(UploadRequest to, KeptProperties kept)
    {
        try
        {
            ObjectHeaders headers = kept.AddTo(to.Target.Headers);
            HeaderGuard.Metadata(nameof(UploadOptions.Metadata), headers.Metadata);
            HeaderGuard.Tags(nameof(UploadOptions.Tags), headers.Tags);
            return to with { Target = to.Target with { Headers = headers } };
        }
        catch (ArgumentException e)
        {
            throw new TransferException($"{to.Address}: the properties of the source can't be sent: {e.Message}", e) { Bucket = to.Address.Bucket, Key = to.Address.Key };
        }
    }

    /// <summary>Marks the exceptions of requests to the source.</summary>
    public static async Task<T> OfSourceAsync<T>(Func<Task<T>> sendAsync)
    {
        try
        {
            return await sendAsync().ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            e.CopySide ??= CopySide.Source;
            throw;
        }
    }

    /// <summary>Uses parts of the same size as the source if that is possible and no size was set.</summary>
    private async Task<UploadRequest> WithPartsOfSourceAsync(UploadRequest to, ObjectSource content, TransferRun reading, CancellationToken cancellationToken)
    {
        if (options.Target is not { PartSizeBytes: null, MultipartThresholdBytes: null } || target.Settings.IsUploadPartSizeGiven)
        {
            return to;
        }

        if (!content.IsWhole)
        {
            return to;
        }

        long length = content.Info.Length;
        long most = target.Settings.MemoryBytes / MostOfMemory;
        if (Md5Tag.GetPartCount(content.Info.ETag) is not { } count || length == 0)
        {
            return length <= most && Md5Tag.TryRead(content.Info.ETag, out _) ? Sized(options.Target with { MultipartThresholdBytes = Math.Max(length + 1, target.Settings.MultipartThresholdBytes) }) : to;
        }

        long? size = count == 1 ? length : await PartSizeAsync(content, reading, cancellationToken).ConfigureAwait(false);
        bool isAllowed = size <= most && count <= target.Settings.MaxUploadParts && (count == 1 || size >= TransferDefaults.MinUploadPartSizeBytes);
        return isAllowed ? Sized(options.Target with { PartSizeBytes = Math.Max(size!.Value, TransferDefaults.MinUploadPartSizeBytes), MultipartThresholdBytes = 0 }) : to;

        UploadRequest Sized(UploadOptions sized)
            => UploadRequest.From(to.Address.Bucket, to.Address.Key, sized, target.Settings) with { Presence = to.Presence, ProvesCondition = to.ProvesCondition };
    }

    private async Task<long?> PartSizeAsync(ObjectSource content, TransferRun reading, CancellationToken cancellationToken)
    {
        try
        {
            ObjectAddress version = content.Address with { VersionId = content.Address.VersionId ?? content.Info.VersionId };
            return (await reading.SendAsync(token => source.Wire.GetStoredPartsAsync(version, token), cancellationToken).ConfigureAwait(false))?.LengthBytes;
        }
        catch (WireException)
        {
            return null; // the store doesn't return the lengths of parts, and the target can have other ones
        }
    }

    /// <summary>Combines what both stores confirmed.</summary>
    private static ChecksumVerdict GetVerdict(ObjectSource content, PublishedUpload published)
    {
        if (published.Verdict.IsVerified && content.Verdict is { IsVerified: true })
        {
            return published.Verdict;
        }

        // Equal ETags that are made of MD5s of the same parts prove that the objects are equal.
        if (content.IsWhole && !ETags.HideMd5(content.Address, content.Info.Encryption) && Md5Tag.Read(content.Info.ETag) is { } md5 && Md5Tag.Read(published.Object.ETag) == md5)
        {
            return ChecksumVerdict.Verified(ChecksumAlgorithm.Md5, md5);
        }

        return !published.Verdict.IsVerified
            ? ChecksumVerdict.Unverified($"the target: {published.Verdict.Reason}")
            : ChecksumVerdict.Unverified($"the source: {content.Verdict?.Reason}");
    }
}
