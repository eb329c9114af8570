using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>The validated options of an upload, with all defaults applied.</summary>
internal sealed record UploadRequest(NewObject Target, long PartSizeBytes, int MaxConcurrency, long MultipartThresholdBytes)
{
    /// <summary>
    /// Gets a value that indicates whether the user has set <see cref="MaxConcurrency"/>. Otherwise, it is only an upper limit for the adaptive
    /// concurrency.
    /// </summary>
    public bool IsConcurrencyGiven { get; init; }

    /// <summary>Gets the maximum number of parts in flight if each takes <see cref="PartMemory.Chunks"/> and the user has not set a number.</summary>
    public required int MaxConcurrencyInChunks { get; init; }

    /// <summary>Gets the maximum number of parts that the store allows.</summary>
    public required int MaxParts { get; init; }

    /// <summary>Gets the size of the first parts if the length isn't known.</summary>
    public required long UnknownLengthPartBytes { get; init; }

    /// <summary>Gets the maximum size of parts if the length isn't known.</summary>
    public required long LargestPartBytes { get; init; }

    /// <summary>Gets the size of the last parts if the length isn't known and a source fills them one after the other.</summary>
    public required long LargestLatePartBytes { get; init; }

    /// <summary>Gets the memory that a part must fit into.</summary>
    public required long MemoryBytes { get; init; }

    /// <summary>Gets the length that the source must have; null if the caller doesn't know it.</summary>
    public long? Length { get; init; }

    /// <summary>Gets a value that indicates whether an upload of a file is resumed and keeps its state for a later run.</summary>
    public bool Resumes { get; init; }

    /// <summary>
    /// Gets the access that other code can have to the source file during the upload. On Linux, .NET detects only exclusive writers, and these are always rejected.
    /// </summary>
    public FileShare SourceShare { get; init; } = LocalSource.AnyShare;

    /// <summary>Gets the result of a HEAD request for an object that must not exist; null if none was sent.</summary>
    public ObjectPresence? Presence { get; init; }

    /// <summary>
    /// Gets a value that indicates whether a second request is sent to find out whether the store honors the condition, because many objects are published with it.
    /// </summary>
    public bool ProvesCondition { get; init; }

    /// <summary>Gets a value that indicates whether all parts were sent before, and only the request that publishes them is left.</summary>
    public bool IsStaged { get; init; }

    /// <summary>Gets the encryption of the source, which the object may not have; null if nothing can be lost.</summary>
    public string? SourceEncryption { get; init; }

    /// <summary>Gets the object whose ranges the store copies as the parts, so that no data is sent; null for an upload.</summary>
    public CopySource? Copied { get; init; }

    /// <summary>Gets a value that indicates whether parts of the existing object are reused.</summary>
    public bool ReusesParts { get; init; }

    /// <summary>Gets the parts of the existing object that the store copies instead of getting them from here; null for none.</summary>
    public ReusedParts? Reused { get; init; }

    public ObjectAddress Address => Target.Address;

    /// <summary>Returns whether a source of a known length is published with one request.</summary>
    public bool TakesOnePut(long length) => length < MultipartThresholdBytes && length <= MemoryBytes;

    /// <summary>Gets the requests that publish a source of a known length, if none fails.</summary>
    /// <param name="length">The length.</param>
    /// <param name="isStaged">Whether it is published together with others, which takes an upload of parts.</param>
    public StoreUsage Estimate(long length, bool isStaged = false) => !isStaged && TakesOnePut(length)
        ? RequestKind.PutObject.ToUsage() with { BytesSent = length }
        : EstimateParts(length, RequestKind.UploadPart) with { BytesSent = length };

    /// <summary>Gets the requests that publish an object in parts, without their content.</summary>
    public StoreUsage EstimateParts(long length, RequestKind part)
        => RequestKind.CreateMultipartUpload.ToUsage() + (part.ToUsage() * Plan(length).TotalParts!.Value) + RequestKind.CompleteMultipartUpload.ToUsage();

    /// <summary>Creates the plan for a source of unknown length that one loop reads.</summary>
    /// <exception cref="TransferException">Thrown when a part doesn't fit into memory.</exception>
    public UploadPlan PlanForSource() => LargestLatePartBytes > LargestPartBytes ? Plan(null).WithLateParts(LargestLatePartBytes, MaxParts) : Plan(null);

    /// <summary>Creates the plan for a length. If it isn't known, the parts stay small enough that several writers can each fill one at their own pace.</summary>
    /// <exception cref="TransferException">Thrown when the maximum number of parts can't hold the object, or a part doesn't fit into memory.</exception>
    public UploadPlan Plan(long? length)
    {
        UploadPlan plan = length is { } known
            ? UploadPlan.ForLength(known, PartSizeBytes, MaxParts)
            : UploadPlan.ForUnknownLength(UnknownLengthPartBytes, LargestPartBytes, MaxParts);
        CheckHolds(plan, length ?? 0);
        return Math.Min(plan.PartSizeBytes, length ?? long.MaxValue) <= MemoryBytes ? plan : throw TooLargeParts(Address, plan.PartSizeBytes, MemoryBytes);
    }

    /// <summary>Checks that the parts of a plan aren't larger than those of a store.</summary>
    /// <exception cref="TransferException">Thrown when the maximum number of parts can't hold the object.</exception>
    public void CheckHolds(UploadPlan plan, long length)
    {
        if (plan.PartSizeBytes > TransferDefaults.MaxPartSizeBytes)
        {
            throw new TransferException(
                $"{Address}: {ByteSize.Format(length)} can't be uploaded, because {MaxParts} parts of at most {ByteSize.Format(TransferDefaults.MaxPartSizeBytes)} hold only "
                + $"{ByteSize.Format(MaxParts * TransferDefaults.MaxPartSizeBytes)}.");
        }
    }

    /// <summary>Creates the exception for parts that don't fit into memory.</summary>
    public static TransferException TooLargeParts(ObjectAddress address, long partBytes, long memoryBytes) => new(
        $"{address}: a part of {ByteSize.Format(partBytes)} does not fit into the memory budget of {ByteSize.Format(memoryBytes)}. "
        + $"Increase {nameof(TransferClientOptions.MemoryBytes)}.");

    /// <summary>Creates the exception for an upload that has <paramref name="offset"/> bytes in the maximum number of parts, and isn't at its end.</summary>
    public TransferException TooManyParts(long offset) => new(
        $"{Address}: the source did not end within {MaxParts} parts, {ByteSize.Format(offset)}. Increase {nameof(UploadOptions.PartSizeBytes)}"
        + $"{(LargestPartBytes == UnknownLengthPartBytes ? string.Empty : $" or {nameof(TransferClientOptions.MemoryBytes)}")}.");

    /// <summary>
    /// Creates the same request for an upload of one empty part. MinIO computes another full-object checksum of it than that of no bytes, so its part has an MD5, unless the caller
    /// has chosen an algorithm.
    /// </summary>
    public UploadRequest WithEmptyPart() => Target.Checksum == ChecksumAlgorithm.Auto ? this with { Target = Target with { Checksum = ChecksumAlgorithm.ContentMd5 } } : this;

    /// <summary>Creates the request of an upload whose parts are all there, as far as its end needs it.</summary>
    /// <param name="target">The target. Its headers were sent when the upload was created.</param>
    /// <param name="upload">The upload.</param>
    /// <param name="presence">What is known of the key; null if nothing is.</param>
    public static UploadRequest ForStaged(NewObject target, StagedUpload upload, ObjectPresence? presence = null) => new(target, upload.Bytes, 1, 0)
    {
        MaxConcurrencyInChunks = 1,
        MaxParts = upload.Parts.Count,
        UnknownLengthPartBytes = upload.Bytes,
        LargestPartBytes = upload.Bytes,
        LargestLatePartBytes = upload.Bytes,
        MemoryBytes = long.MaxValue,
        Presence = presence,
        IsStaged = true,
    };

    /// <summary>Validates the options. <paramref name="sourceName"/> is the name of a source file, which determines the content type better than the key.</summary>
    public static UploadRequest From(string bucket, string key, UploadOptions options, ClientSettings settings, string? sourceName = null)
    {
        OptionGuard.Address(bucket, key);
        return Create(bucket, key, options, settings, sourceName);
    }

    /// <summary>Validates the options for the objects under a prefix, which can be empty. The request of each object is a copy with its own address.</summary>
    public static UploadRequest ForPrefix(string bucket, string prefix, UploadOptions options, ClientSettings settings)
    {
        OptionGuard.Bucket(bucket);
        return Create(bucket, prefix, options, settings, sourceName: null);
    }

    private static UploadRequest Create(string bucket, string key, UploadOptions options, ClientSettings settings, string? sourceName)
    {
        if (!Enum.IsDefined(options.Checksum))
        {
            throw new ArgumentOutOfRangeException(
                nameof(options), options.Checksum, $"{nameof(options.Checksum)} is {options.Checksum}; it must be one of {string.Join(", ", Enum.GetNames<ChecksumAlgorithm>())}.");
        }

        long partSize = ClientSettings.UploadPartSize(nameof(options.PartSizeBytes), options.PartSizeBytes ?? settings.UploadPartSizeBytes);
        if (options.PartSizeBytes is not null && partSize > settings.MemoryBytes)
        {
            throw new ArgumentOutOfRangeException(
                nameof(options),
                partSize,
                $"{nameof(options.PartSizeBytes)} is {ByteSize.Format(partSize)}; it must be at most "
                + $"{ByteSize.Format(settings.MemoryBytes)}, the memory budget ({nameof(TransferClientOptions.MemoryBytes)} in whole chunks).");
        }

        // Equal parts can't grow, so they are larger from the beginning unless a size is configured.
        long? equalPart = !settings.EqualUploadParts ? null
            : options.PartSizeBytes is not null || settings.IsUploadPartSizeGiven ? partSize
            : Math.Max(partSize, Math.Min(TransferDefaults.MaxPartSizeBytes, settings.MemoryBytes / 16 / Sizes.MiB * Sizes.MiB));
        return new UploadRequest(
            new NewObject(
                new ObjectAddress(bucket, key, null, new ReadAccess(options.RequesterPays, options.CustomerKey)),
                options.Checksum,
                Condition(options),
                GetHeaders(options, options.ContentType ?? (sourceName is null ? null : ContentTypes.Guess(sourceName)) ?? ContentTypes.Guess(key))),
            partSize,
            OptionGuard.Number(nameof(options.MaxConcurrency), options.MaxConcurrency ?? DefaultConcurrency(partSize, settings), 1, TransferDefaults.MaxConcurrency),
            ClientSettings.Threshold(nameof(options.MultipartThresholdBytes), options.MultipartThresholdBytes ?? settings.MultipartThresholdBytes))
        {
            MaxConcurrencyInChunks = DefaultConcurrency(PartBody.GetMemory(partSize, settings.ChunkSizeBytes, settings.MemoryBytes), settings),
            IsConcurrencyGiven = options.MaxConcurrency is not null || settings.IsUploadConcurrencyGiven,
            MaxParts = settings.MaxUploadParts,

            // Parts of unknown length are kept in memory, so they begin as small as S3 allows.
            UnknownLengthPartBytes = equalPart ?? (options.PartSizeBytes is not null || settings.IsUploadPartSizeGiven ? partSize : Math.Min(partSize, TransferDefaults.MinUploadPartSizeBytes)),
            LargestPartBytes = equalPart ?? Math.Min(TransferDefaults.MaxPartSizeBytes, settings.MemoryBytes / 4),

            // Memory holds two of them, so that one is filled while another is sent, or one part and the read-ahead of a source that is a stream of
            // this client.
            LargestLatePartBytes = equalPart ?? Math.Min(TransferDefaults.MaxPartSizeBytes, settings.MemoryBytes / 2 / settings.ChunkSizeBytes * settings.ChunkSizeBytes),
            MemoryBytes = settings.MemoryBytes,
            Resumes = options.Resume,
            ReusesParts = options.ReuseParts,
            Length = options.Length is { } length ? OptionGuard.Size(nameof(options.Length), length, 0, long.MaxValue) : null,
        };
    }

    /// <summary>Creates the same request for another key; <paramref name="sourceName"/> as in <see cref="From"/>.</summary>
    public UploadRequest For(string key, UploadOptions options, string sourceName) => this with
    {
        Target = Target with
        {
            Address = Target.Address with { Key = key },
            Headers = Target.Headers with
            {
                Values = Target.Headers.Values.With(ObjectHeader.ContentType, options.ContentType ?? ContentTypes.Guess(sourceName) ?? ContentTypes.Guess(key)),
            },
        },
    };

    /// <summary>Gets the memory that the parts of one upload take by default.</summary>
    /// <param name="memoryBytes">The memory of the client.</param>
    public static long ShareOf(long memoryBytes) => memoryBytes / 8 * 3;

    /// <summary>Creates the same request for a source whose parts take <see cref="PartMemory.Chunks"/>.</summary>
    public UploadRequest WithPartsInChunks() => IsConcurrencyGiven ? this : this with { MaxConcurrency = MaxConcurrencyInChunks };

    /// <summary>Creates the same request with metadata from the file.</summary>
    public UploadRequest ForFile(FileSource file, UploadOptions options)
    {
        if (!options.KeepLastModified && !options.KeepPermissions && !options.KeepOwner)
        {
            return this;
        }

        Dictionary<string, string> metadata = new(Target.Headers.Metadata ?? new Dictionary<string, string>());
        if (options.KeepLastModified)
        {
            metadata.TryAdd(ModificationTime.Name, ModificationTime.Format(file.LastModified));
        }

        (FileKind? kind, FileOwner? owner) = options.KeepPermissions || options.KeepOwner ? file.GetAttributes() : default;
        if (options.KeepPermissions && kind is { } mode)
        {
            FileMetadata.AddMode(metadata, mode.RawMode);
        }

        if (options.KeepOwner && owner is { } ids)
        {
            FileMetadata.AddOwner(metadata, ids.User, ids.Group);
        }

        return this with { Target = Target with { Headers = Target.Headers with { Metadata = metadata } } };
    }

    /// <summary>Gets the default number of parts in flight. One upload uses at most three eighths of the memory, as much as streams can use to read ahead.</summary>
    private static int DefaultConcurrency(long heldBytes, ClientSettings settings)
        => settings.IsUploadConcurrencyGiven ? settings.MaxUploadConcurrency : (int)Math.Min(settings.MaxUploadConcurrency, Math.Max(2, ShareOf(settings.MemoryBytes) / heldBytes));

    private static WriteCondition Condition(UploadOptions options)
    {
        if (options.IfMatch is null)
        {
            return new WriteCondition(!options.Overwrite);
        }

        if (!options.Overwrite)
        {
            throw new ArgumentException(
                $"{nameof(options.IfMatch)} is '{options.IfMatch}' and {nameof(options.Overwrite)} is false. Only an object that exists has an ETag, so nothing could be published.", nameof(options));
        }

        return new WriteCondition(false, ETags.Quoted(HeaderGuard.Value(nameof(options.IfMatch), options.IfMatch)!));
    }

    private static ObjectHeaders GetHeaders(UploadOptions options, string? contentType)
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

        HeaderValues values = options.Headers.With(ObjectHeader.ContentType, contentType);
        foreach (ObjectHeader header in ObjectHeader.All)
        {
            HeaderGuard.Value(header.Option, values[header]);
        }

        return new ObjectHeaders
        {
            Values = values,
            Metadata = HeaderGuard.Metadata(nameof(options.Metadata), options.Metadata),
            Tags = HeaderGuard.Tags(nameof(options.Tags), options.Tags),
            Encryption = options.Encryption,
            Lock = options.Lock is null or { RetainUntil: not null } or { LegalHold: true } ? options.Lock
                : throw new ArgumentException($"{nameof(options.Lock)} has neither {nameof(ObjectLock.RetainUntil)} nor {nameof(ObjectLock.LegalHold)}, so it would protect nothing.", nameof(options)),
        };
    }
}
