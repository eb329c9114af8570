using System.Buffers;
using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Probing;

/// <summary>Which checksums a store compares, keeps, and returns.</summary>
internal static class ChecksumProbes
{
    public static IReadOnlyList<Probe> All { get; } =
    [
        Compared("crc64nvme", "CRC-64/NVME of uploads", ChecksumAlgorithm.Crc64Nvme, StoreTrait.Crc64Nvme),
        Compared("crc32c", "CRC-32C of uploads", ChecksumAlgorithm.Crc32C, StoreTrait.Crc32C),
        Compared("content-md5", "Content-MD5 of uploads", ChecksumAlgorithm.ContentMd5, trait: null),
        new("checksum-mode", "The checksum of an object in the response to a read", ChecksumModeAsync) { Trait = StoreTrait.SmallObjectChecksums },
        new("attributes", "GetObjectAttributes, which returns the checksum of an object and its parts", AttributesAsync) { Trait = StoreTrait.Attributes },
    ];

    private static Probe Compared(string name, string description, ChecksumAlgorithm algorithm, StoreTrait? trait)
        => new(name, description, (area, token) => ComparedAsync(area, name, algorithm, token)) { Trait = trait, IsOfEveryBucket = true, RefusedIfIgnored = true };

    private static async Task<Finding> ComparedAsync(ProbeArea area, string name, ChecksumAlgorithm algorithm, CancellationToken cancellationToken)
    {
        string? right = ProbeArea.ComputeChecksum(new ReadOnlySequence<byte>(ProbeArea.Content), algorithm);
        if (await ProbeArea.ErrorOfAsync(area.PutAsync(name, algorithm: algorithm, checksum: right, cancellationToken: cancellationToken)).ConfigureAwait(false) is { } refusal)
        {
            return Finding.OfError(refusal);
        }

        string? wrong = ProbeArea.ComputeChecksum(ProbeArea.Zeros(1), algorithm);
        if (await ProbeArea.ErrorOfAsync(area.PutAsync(name, algorithm: algorithm, checksum: wrong, cancellationToken: cancellationToken)).ConfigureAwait(false) is not { } error)
        {
            return Finding.Ignored("an upload with a wrong checksum succeeded");
        }

        if (error.MayRetry)
        {
            return Finding.OfError(error);
        }

        // Every upload of this probe that follows and has a checksum uses the best algorithm.
        if (area.Algorithm == ChecksumAlgorithm.None && algorithm != ChecksumAlgorithm.ContentMd5)
        {
            area.Algorithm = algorithm;
        }

        return Finding.Supported;
    }

    private static async Task<Finding> ChecksumModeAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        ObjectInfo info = (await area.SendAsync((wire, token) => wire.HeadAsync(Summed(area), token), cancellationToken).ConfigureAwait(false)).Info;
        StoreFact? fact = area.Profile.Facts.FirstOrDefault(static fact => fact.Trait == StoreTrait.ChecksumMode && fact.Support == StoreSupport.Refused);
        return fact is not null ? new Finding(StoreSupport.Refused, fact.Reason)
            : info.Checksum is not null ? Finding.Supported
            : Finding.Ignored("the response has no checksum");
    }

    private static async Task<Finding> AttributesAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        try
        {
            ObjectAddress address = Summed(area);
            StoredChecksum? checksum = await area.SendAsync((wire, token) => wire.GetAttributesChecksumAsync(address, etag: null, token), cancellationToken).ConfigureAwait(false);
            return checksum is not null || area.Algorithm == ChecksumAlgorithm.None ? Finding.Supported : new Finding(StoreSupport.Supported, "without the checksum");
        }
        catch (WireException e)
        {
            return Finding.OfError(e);
        }
    }

    /// <summary>Gets an object that was sent with a checksum, if the store has accepted one.</summary>
    private static ObjectAddress Summed(ProbeArea area) => area.At(area.Algorithm == ChecksumAlgorithm.Crc32C ? "crc32c" : area.Algorithm == ChecksumAlgorithm.Crc64Nvme ? "crc64nvme" : "content-md5");
}
