using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>One upload's options, checked and with every default filled in.</summary>
internal sealed record UploadRequest(NewObject Target, long PartSizeBytes, int MaxPartsInFlight, long MultipartThresholdBytes)
{
    public ObjectAddress Address => Target.Address;

    /// <summary>Bytes of a part by its number, of an upload that has <paramref name="offset"/> bytes before it.</summary>
    /// <exception cref="TransferException">There can be no such part.</exception>
    public long NextPartSize(UploadPlan plan, int number, long offset, long memoryBytes)
        => number <= TransferDefaults.MaxParts
            ? plan.SizeOf(number, memoryBytes / 4)
            : throw new TransferException($"{Address}: the source did not end within {TransferDefaults.MaxParts} parts, {Sizes.Text(offset)}: choose a larger part size.");

    /// <exception cref="TransferException">Parts of this size can't be held in memory.</exception>
    public void CheckPartFits(long partSizeBytes, long memoryBytes)
    {
        if (partSizeBytes > memoryBytes)
        {
            throw new TransferException(
                $"{Address}: its parts are of {Sizes.Text(partSizeBytes)}, and the memory budget of {Sizes.Text(memoryBytes)} does not hold one: "
                + $"raise {nameof(TransferClientOptions.MemoryBytes)}.");
        }
    }

    public static UploadRequest From(string bucket, string key, UploadOptions options, ClientSettings settings)
    {
        OptionGuard.Address(bucket, key);
        if (options.Checksum == ChecksumAlgorithm.Sha1 || !Enum.IsDefined(options.Checksum))
        {
            throw new ArgumentOutOfRangeException(
                nameof(options), options.Checksum, $"{nameof(options.Checksum)} is {options.Checksum}; it must be Auto, Crc64Nvme, Crc32C, Crc32, Sha256 or None.");
        }

        long partSize = ClientSettings.UploadPartSize(nameof(options.PartSizeBytes), options.PartSizeBytes ?? settings.UploadPartSizeBytes);
        if (options.PartSizeBytes is not null && partSize > settings.MemoryBytes)
        {
            throw new ArgumentOutOfRangeException(
                nameof(options),
                partSize,
                $"{nameof(options.PartSizeBytes)} is {Sizes.Text(partSize)}, and a part must fit into the memory budget: it must be at most "
                + $"{nameof(TransferClientOptions.MemoryBytes)}, which is {Sizes.Text(settings.MemoryBytes)}.");
        }

        return new UploadRequest(
            new NewObject(
                new ObjectAddress(bucket, key),
                options.Checksum == ChecksumAlgorithm.Auto ? ChecksumAlgorithm.Crc64Nvme : options.Checksum,
                options.OnlyIfAbsent,
                options.ContentType,
                options.Metadata),
            partSize,
            OptionGuard.Number(nameof(options.MaxPartsInFlight), options.MaxPartsInFlight ?? (settings.IsConcurrencyGiven ? settings.Concurrency : TransferDefaults.PartsInFlight), 1, TransferDefaults.MaxConcurrency),
            ClientSettings.Threshold(nameof(options.MultipartThresholdBytes), options.MultipartThresholdBytes ?? settings.MultipartThresholdBytes));
    }
}
