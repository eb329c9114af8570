using System.Globalization;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>One upload's options, checked and with every default filled in.</summary>
internal sealed record UploadRequest(NewObject Target, long PartSizeBytes, int MaxPartsInFlight, long MultipartThresholdBytes)
{
    /// <summary>Whether <see cref="MaxPartsInFlight"/> was chosen, or is a limit of what the client finds by itself.</summary>
    public bool IsConcurrencyGiven { get; init; }

    /// <summary>The most parts in flight if their memory is released while they are sent, and nobody has chosen a number.</summary>
    public required int MaxReleasedPartsInFlight { get; init; }

    /// <summary>Parts that the store lets it have.</summary>
    public required int MaxParts { get; init; }

    /// <summary>The size of the first parts if the length is not known.</summary>
    public required long UnknownLengthPartBytes { get; init; }

    /// <summary>The size that parts may grow to if the length is not known.</summary>
    public required long LargestPartBytes { get; init; }

    /// <summary>The size of the last parts if the length is not known and a source fills them one after the other.</summary>
    public required long LargestLatePartBytes { get; init; }

    /// <summary>The memory that a part must fit into.</summary>
    public required long MemoryBytes { get; init; }

    /// <summary>Whether what an earlier run sent of a file is gone on with, and something is left to a later one.</summary>
    public bool Resumes { get; init; }

    /// <summary>What a HEAD has just told about the object that is to be absent; null if none was sent.</summary>
    public ObjectPresence? Presence { get; init; }

    /// <summary>Whether it is one of many that are to be published only if they are absent, so that it is worth a request to see whether the store honors that.</summary>
    public bool ProvesCondition { get; init; }

    public ObjectAddress Address => Target.Address;

    /// <summary>Returns the plan for a source of unknown length, which one loop reads.</summary>
    /// <exception cref="TransferException">Memory does not hold a part.</exception>
    public UploadPlan PlanForSource() => LargestLatePartBytes > LargestPartBytes ? Plan(null).WithLateParts(LargestLatePartBytes, MaxParts) : Plan(null);

    /// <summary>Returns the plan for a length. If it is not known, the parts stay small enough that several writers can each fill one at their own pace.</summary>
    /// <exception cref="TransferException">There are no parts that hold it, or memory does not hold one.</exception>
    public UploadPlan Plan(long? length)
    {
        UploadPlan plan = length is { } known
            ? UploadPlan.ForLength(known, PartSizeBytes, MaxParts)
            : UploadPlan.ForUnknownLength(UnknownLengthPartBytes, LargestPartBytes, MaxParts);
        if (plan.PartSizeBytes > TransferDefaults.MaxPartSizeBytes)
        {
            throw new TransferException(
                $"{Address}: {Sizes.Text(length ?? 0)} can't be uploaded, because {MaxParts} parts of at most {Sizes.Text(TransferDefaults.MaxPartSizeBytes)} hold only "
                + $"{Sizes.Text(MaxParts * TransferDefaults.MaxPartSizeBytes)}.");
        }

        return Math.Min(plan.PartSizeBytes, length ?? long.MaxValue) <= MemoryBytes
            ? plan
            : throw new TransferException(
                $"{Address}: a part of {Sizes.Text(plan.PartSizeBytes)} does not fit into the memory budget of {Sizes.Text(MemoryBytes)}. "
                + $"Increase {nameof(TransferClientOptions.MemoryBytes)}.");
    }

    /// <summary>The failure of an upload that has <paramref name="offset"/> bytes in all the parts that there can be, and is not at its end.</summary>
    public TransferException TooManyParts(long offset) => new(
        $"{Address}: the source did not end within {MaxParts} parts, {Sizes.Text(offset)}. Increase {nameof(UploadOptions.PartSizeBytes)}"
        + $"{(LargestPartBytes == UnknownLengthPartBytes ? string.Empty : $" or {nameof(TransferClientOptions.MemoryBytes)}")}.");

    /// <summary><paramref name="sourceName"/> is the name of the source, if it is a file: it tells better than the key what is in it.</summary>
    public static UploadRequest From(string bucket, string key, UploadOptions options, ClientSettings settings, string? sourceName = null)
    {
        OptionGuard.Address(bucket, key);
        if (options.Checksum == ChecksumAlgorithm.Sha1 || !Enum.IsDefined(options.Checksum))
        {
            throw new ArgumentOutOfRangeException(
                nameof(options), options.Checksum, $"{nameof(options.Checksum)} is {options.Checksum}; it must be Auto, Crc64Nvme, Crc32C, Crc32, Sha256, Md5, or None.");
        }

        long partSize = ClientSettings.UploadPartSize(nameof(options.PartSizeBytes), options.PartSizeBytes ?? settings.UploadPartSizeBytes);
        if (options.PartSizeBytes is not null && partSize > settings.MemoryBytes)
        {
            throw new ArgumentOutOfRangeException(
                nameof(options),
                partSize,
                $"{nameof(options.PartSizeBytes)} is {Sizes.Text(partSize)}; it must be at most "
                + $"{Sizes.Text(settings.MemoryBytes)}, the memory budget ({nameof(TransferClientOptions.MemoryBytes)} in whole chunks).");
        }

        // Equal parts can't grow, so they are larger from the beginning unless a size is configured.
        long? equalPart = !settings.EqualUploadParts ? null
            : options.PartSizeBytes is not null || settings.IsUploadPartSizeGiven ? partSize
            : Math.Max(partSize, Math.Min(TransferDefaults.MaxPartSizeBytes, settings.MemoryBytes / 16 / Sizes.MiB * Sizes.MiB));
        return new UploadRequest(
            new NewObject(
                new ObjectAddress(bucket, key, null, new ReadAccess(options.RequesterPays, options.CustomerKey) { KeepsAnswer = options.KeepAnswer }),
                options.Checksum,
                Condition(options),
                HeadersOf(options, options.ContentType ?? (sourceName is null ? null : ContentTypes.Guess(sourceName)) ?? ContentTypes.Guess(key))),
            partSize,
            OptionGuard.Number(nameof(options.MaxPartsInFlight), options.MaxPartsInFlight ?? DefaultPartsInFlight(partSize, settings), 1, TransferDefaults.MaxConcurrency),
            ClientSettings.Threshold(nameof(options.MultipartThresholdBytes), options.MultipartThresholdBytes ?? settings.MultipartThresholdBytes))
        {
            MaxReleasedPartsInFlight = DefaultPartsInFlight(partSize / 2, settings),
            IsConcurrencyGiven = options.MaxPartsInFlight is not null || settings.IsUploadConcurrencyGiven,
            MaxParts = settings.MaxUploadParts,
            UnknownLengthPartBytes = equalPart ?? partSize,
            LargestPartBytes = equalPart ?? Math.Min(TransferDefaults.MaxPartSizeBytes, settings.MemoryBytes / 4),

            // Memory holds two of them, so that one is filled while another is sent, or one and the read-ahead of a source that is a stream of this client.
            LargestLatePartBytes = equalPart ?? Math.Min(TransferDefaults.MaxPartSizeBytes, settings.MemoryBytes / 2 / settings.ChunkSizeBytes * settings.ChunkSizeBytes),
            MemoryBytes = settings.MemoryBytes,
            Resumes = options.Resume,
        };
    }

    /// <summary>The same for another key; <paramref name="sourceName"/> as in <see cref="From"/>.</summary>
    public UploadRequest For(string key, UploadOptions options, string sourceName) => this with
    {
        Target = Target with
        {
            Address = Target.Address with { Key = key },
            Headers = Target.Headers with { ContentType = options.ContentType ?? ContentTypes.Guess(sourceName) ?? ContentTypes.Guess(key) },
        },
    };

    /// <summary>Returns the same request for a source whose parts release their memory while they are sent. They hold half of their bytes on average.</summary>
    public UploadRequest WithReleasedParts() => IsConcurrencyGiven ? this : this with { MaxPartsInFlight = MaxReleasedPartsInFlight };

    /// <summary>The same with what is to be kept of the file beside its bytes.</summary>
    public UploadRequest Of(FileSource file, UploadOptions options)
    {
        if (!options.KeepLastModified || Target.Headers.Metadata?.ContainsKey(ModificationTime.Name) == true)
        {
            return this;
        }

        Dictionary<string, string> metadata = new(Target.Headers.Metadata ?? new Dictionary<string, string>()) { [ModificationTime.Name] = ModificationTime.Format(file.LastModified) };
        return this with { Target = Target with { Headers = Target.Headers with { Metadata = metadata } } };
    }

    /// <summary>If nobody has chosen, one upload uses at most three eighths of the memory, as much as streams can use to read ahead.</summary>
    private static int DefaultPartsInFlight(long heldBytes, ClientSettings settings)
        => settings.IsUploadConcurrencyGiven ? settings.UploadConcurrency : (int)Math.Min(settings.UploadConcurrency, Math.Max(2, settings.MemoryBytes / 8 * 3 / heldBytes));

    private static WriteCondition Condition(UploadOptions options)
    {
        if (options.IfMatch is null)
        {
            return new WriteCondition(options.OnlyIfAbsent) { IsTrusted = options.TrustsCondition };
        }

        if (options.OnlyIfAbsent)
        {
            throw new ArgumentException(
                $"{nameof(options.IfMatch)} is '{options.IfMatch}' and {nameof(options.OnlyIfAbsent)} is true. An object that does not exist has no ETag, so only one of them can be set.", nameof(options));
        }

        return new WriteCondition(false, ETags.Quoted(HeaderGuard.Value(nameof(options.IfMatch), options.IfMatch)!));
    }

    private static ObjectHeaders HeadersOf(UploadOptions options, string? contentType)
    {
        if (options.Encryption is { } encryption)
        {
            if (options.CustomerKey is not null)
            {
                throw new ArgumentException($"{nameof(options.Encryption)} is {encryption.Algorithm}, and {nameof(options.CustomerKey)} is set too, but only one of them can be set.", nameof(options));
            }

            HeaderGuard.Value($"{nameof(options.Encryption)}.{nameof(encryption.KeyId)}", encryption.KeyId);
            HeaderGuard.Value($"{nameof(options.Encryption)}.{nameof(encryption.Context)}", encryption.Context);
        }

        return new ObjectHeaders
        {
            ContentType = HeaderGuard.Value(nameof(options.ContentType), contentType),
            CacheControl = HeaderGuard.Value(nameof(options.CacheControl), options.CacheControl),
            ContentDisposition = HeaderGuard.Value(nameof(options.ContentDisposition), options.ContentDisposition),
            ContentEncoding = HeaderGuard.Value(nameof(options.ContentEncoding), options.ContentEncoding),
            ContentLanguage = HeaderGuard.Value(nameof(options.ContentLanguage), options.ContentLanguage),
            Expires = options.Expires?.ToString("R", CultureInfo.InvariantCulture),
            Metadata = HeaderGuard.Metadata(nameof(options.Metadata), options.Metadata),
            Tags = HeaderGuard.Tags(nameof(options.Tags), options.Tags),
            StorageClass = HeaderGuard.Value(nameof(options.StorageClass), options.StorageClass),
            Acl = HeaderGuard.Value(nameof(options.Acl), options.Acl),
            Encryption = options.Encryption,
        };
    }
}
