using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>One upload's options, checked and with every default filled in.</summary>
internal sealed record UploadRequest(NewObject Target, long PartSizeBytes, int MaxPartsInFlight, long MultipartThresholdBytes)
{
    public ObjectAddress Address => Target.Address;

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
