using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>One upload's options, checked and with every default filled in.</summary>
internal sealed record UploadRequest(NewObject Target, long PartSizeBytes, int MaxPartsInFlight, long MultipartThresholdBytes)
{
    /// <summary>Parts that the store lets it have.</summary>
    public required int MaxParts { get; init; }

    /// <summary>Bytes that its parts may grow to, where its length is not known.</summary>
    public required long LargestPartBytes { get; init; }

    /// <summary>The memory that a part must fit into.</summary>
    public required long MemoryBytes { get; init; }

    public ObjectAddress Address => Target.Address;

    /// <summary>How it is cut.</summary>
    /// <exception cref="TransferException">There are no parts that hold it, or memory does not hold one.</exception>
    public UploadPlan Plan(long? length)
    {
        UploadPlan plan = length is { } known ? UploadPlan.ForLength(known, PartSizeBytes, MaxParts) : UploadPlan.ForUnknownLength(PartSizeBytes, LargestPartBytes, MaxParts);
        if (plan.PartSizeBytes > TransferDefaults.MaxPartSizeBytes)
        {
            throw new TransferException(
                $"{Address}: {Sizes.Text(length ?? 0)} can't be uploaded: {MaxParts} parts of at most {Sizes.Text(TransferDefaults.MaxPartSizeBytes)} hold "
                + $"{Sizes.Text(MaxParts * TransferDefaults.MaxPartSizeBytes)}.");
        }

        return Math.Min(plan.PartSizeBytes, length ?? long.MaxValue) <= MemoryBytes
            ? plan
            : throw new TransferException(
                $"{Address}: its parts are of {Sizes.Text(plan.PartSizeBytes)}, and the memory budget of {Sizes.Text(MemoryBytes)} does not hold one: "
                + $"raise {nameof(TransferClientOptions.MemoryBytes)}.");
    }

    /// <summary>The failure of an upload that has <paramref name="offset"/> bytes in all the parts that there can be, and is not at its end.</summary>
    public TransferException TooManyParts(long offset) => new($"{Address}: the source did not end within {MaxParts} parts, {Sizes.Text(offset)}: choose a larger part size.");

    /// <summary><paramref name="sourceName"/> is the name of the source, if it is a file: it tells better than the key what is in it.</summary>
    public static UploadRequest From(string bucket, string key, UploadOptions options, ClientSettings settings, string? sourceName = null)
    {
        OptionGuard.Address(bucket, key);
        if (options.Checksum == ChecksumAlgorithm.Sha1 || !Enum.IsDefined(options.Checksum))
        {
            throw new ArgumentOutOfRangeException(
                nameof(options), options.Checksum, $"{nameof(options.Checksum)} is {options.Checksum}; it must be Auto, Crc64Nvme, Crc32C, Crc32, Sha256, Md5 or None.");
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
                options.Checksum,
                options.OnlyIfAbsent,
                options.ContentType ?? (sourceName is null ? null : ContentTypes.Guess(sourceName)) ?? ContentTypes.Guess(key),
                options.Metadata),
            partSize,
            OptionGuard.Number(nameof(options.MaxPartsInFlight), options.MaxPartsInFlight ?? settings.UploadConcurrency, 1, TransferDefaults.MaxConcurrency),
            ClientSettings.Threshold(nameof(options.MultipartThresholdBytes), options.MultipartThresholdBytes ?? settings.MultipartThresholdBytes))
        {
            MaxParts = settings.MaxUploadParts,
            LargestPartBytes = settings.EqualUploadParts ? partSize : Math.Min(TransferDefaults.MaxPartSizeBytes, settings.MemoryBytes / 4),
            MemoryBytes = settings.MemoryBytes,
        };
    }
}
