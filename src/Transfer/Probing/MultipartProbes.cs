using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Probing;

/// <summary>What multipart uploads support.</summary>
internal static class MultipartProbes
{
    private const string Multipart = "multipart";
    private const string Unequal = "unequal-parts";
    private const long SmallBytes = 10;

    // The smallest part of S3, and one that is larger.
    private const long PartBytes = 5 * Sizes.MiB;
    private const long LargerBytes = PartBytes + Sizes.MiB;

    public static IReadOnlyList<Probe> All { get; } =
    [
        new(Multipart, "Multipart uploads", MultipartAsync),
        new("complete-if-absent", "Completing an upload only if the key doesn't exist", (area, token) => CompleteAsync(area, new WriteCondition(ForbidsOverwrite: true), token))
        {
            Trait = StoreTrait.CompleteCondition, Requires = [Multipart],
        },
        new("complete-if-match", "Completing an upload only if the object is unchanged", (area, token) => CompleteAsync(area, new WriteCondition(false, ProbeArea.OtherETag), token))
        {
            Trait = StoreTrait.CompleteMatch, Requires = [Multipart],
        },
        new("list-parts", "Listing the parts of an upload, to resume it", ListPartsAsync) { Requires = [Multipart] },
        new("list-uploads", "Listing incomplete uploads, to abort them", ListUploadsAsync) { Requires = [Multipart] },
        new("small-parts", "Parts of less than 5 MiB", SmallPartsAsync) { Requires = [Multipart] },
        new(Unequal, "Parts of different sizes", UnequalPartsAsync) { Trait = StoreTrait.UnequalParts, IsOfEveryBucket = true, Requires = [Multipart] },
        new("part-read", "Reading one part of an object", PartReadAsync) { Requires = [Multipart] },
        new("multipart-checksum", "The checksum of a whole object that was uploaded in parts", ChecksumAsync) { Requires = [Multipart] },
    ];

    private static async Task<Finding> MultipartAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        try
        {
            ProbeUpload upload = await area.CreateUploadAsync(Multipart, ChecksumAlgorithm.None, cancellationToken).ConfigureAwait(false);
            await upload.SendPartAsync(SmallBytes, cancellationToken).ConfigureAwait(false);
            await upload.CompleteAsync(default, cancellationToken).ConfigureAwait(false);
            return Finding.Supported;
        }
        catch (WireException e)
        {
            return Finding.OfError(e);
        }
    }

    private static async Task<Finding> CompleteAsync(ProbeArea area, WriteCondition condition, CancellationToken cancellationToken)
    {
        ProbeUpload upload = await area.CreateUploadAsync(Multipart, ChecksumAlgorithm.None, cancellationToken).ConfigureAwait(false);
        await upload.SendPartAsync(SmallBytes, cancellationToken).ConfigureAwait(false);
        return Finding.OfCondition(await ProbeArea.ErrorOfAsync(upload.CompleteAsync(condition, cancellationToken)).ConfigureAwait(false));
    }

    private static async Task<Finding> ListPartsAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        ProbeUpload upload = await area.CreateUploadAsync("list-parts", ChecksumAlgorithm.None, cancellationToken).ConfigureAwait(false);
        await upload.SendPartAsync(SmallBytes, cancellationToken).ConfigureAwait(false);
        try
        {
            Page<SentPart> page = await area.SendAsync((wire, token) => wire.ListPartsAsync(upload.Address, upload.Id, null, token), cancellationToken).ConfigureAwait(false);
            return page.Items is [{ Number: 1, LengthBytes: SmallBytes }] ? Finding.Supported : Finding.Ignored("the list does not contain the part");
        }
        catch (WireException e)
        {
            return Finding.OfError(e);
        }
    }

    private static async Task<Finding> ListUploadsAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        ProbeUpload upload = await area.CreateUploadAsync("list-uploads", ChecksumAlgorithm.None, cancellationToken).ConfigureAwait(false);
        try
        {
            return await IsListedAsync(area.Prefix).ConfigureAwait(false) ? Finding.Supported
                : await IsListedAsync(upload.Address.Key).ConfigureAwait(false) ? Finding.Ignored("an upload is only listed by its whole key")
                : Finding.Ignored("the list does not contain the upload");
        }
        catch (WireException e)
        {
            return Finding.OfError(e);
        }

        async Task<bool> IsListedAsync(string prefix)
        {
            Page<UnfinishedUpload> page = await area.SendAsync((wire, token) => wire.ListUploadsAsync(area.Bucket, prefix, null, token), cancellationToken).ConfigureAwait(false);
            return page.Items.Any(one => one.UploadId == upload.Id);
        }
    }

    private static Task<Finding> SmallPartsAsync(ProbeArea area, CancellationToken cancellationToken) => PartsAsync(area, "small-parts", [SmallBytes, SmallBytes], cancellationToken);

    private static Task<Finding> UnequalPartsAsync(ProbeArea area, CancellationToken cancellationToken)
        => PartsAsync(area, Unequal, [PartBytes, LargerBytes, SmallBytes], cancellationToken);

    /// <summary>Uploads parts of the given sizes. The error of a part has nothing to do with the others, but that of the completion has.</summary>
    private static async Task<Finding> PartsAsync(ProbeArea area, string name, long[] lengths, CancellationToken cancellationToken)
    {
        ProbeUpload upload = await area.CreateUploadAsync(name, ChecksumAlgorithm.None, cancellationToken).ConfigureAwait(false);
        return await ProbeArea.ErrorOfAsync(SendAsync()).ConfigureAwait(false) is { } error ? Finding.OfError(error) : Finding.Supported;

        async Task SendAsync()
        {
            foreach (long length in lengths)
            {
                await upload.SendPartAsync(length, cancellationToken).ConfigureAwait(false);
            }

            await upload.CompleteAsync(default, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Asks for the second part of two, which can't be mistaken for the whole object.</summary>
    private static async Task<Finding> PartReadAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        ProbeUpload upload = await area.CreateUploadAsync("part-read", ChecksumAlgorithm.None, cancellationToken).ConfigureAwait(false);
        await upload.SendPartAsync(PartBytes, cancellationToken).ConfigureAwait(false);
        await upload.SendPartAsync(SmallBytes, cancellationToken).ConfigureAwait(false);
        await upload.CompleteAsync(default, cancellationToken).ConfigureAwait(false);
        try
        {
            StoredPart? part = await area.SendAsync((wire, token) => wire.HeadPartAsync(upload.Address, 2, etag: null, token), cancellationToken).ConfigureAwait(false);
            return part is { Offset: PartBytes, Length: SmallBytes } ? Finding.Supported : Finding.Ignored("the response does not show the range of the part");
        }
        catch (WireException e)
        {
            return Finding.OfError(e);
        }
    }

    private static async Task<Finding> ChecksumAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        if (area.Algorithm == ChecksumAlgorithm.None)
        {
            return Finding.Unknown("the store accepts neither CRC-64/NVME nor CRC-32C");
        }

        try
        {
            ProbeUpload upload = await area.CreateUploadAsync("multipart-checksum", area.Algorithm, cancellationToken).ConfigureAwait(false);
            await upload.SendPartAsync(PartBytes, cancellationToken).ConfigureAwait(false);
            await upload.SendPartAsync(SmallBytes, cancellationToken).ConfigureAwait(false);
            PublishedObject published = await upload.CompleteAsync(default, cancellationToken).ConfigureAwait(false);
            ObjectInfo info = (await area.SendAsync((wire, token) => wire.HeadAsync(upload.Address, token), cancellationToken).ConfigureAwait(false)).Info;
            return (info.Checksum ?? published.Checksum) is not { } checksum ? Finding.Ignored("the store does not return it")
                : checksum.IsComposite ? Finding.Ignored("the store only has the checksums of the parts")
                : checksum.Value == upload.Checksum ? Finding.Supported
                : Finding.Ignored("the store returns another checksum");
        }
        catch (WireException e)
        {
            return Finding.OfError(e);
        }
    }
}
