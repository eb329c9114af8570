namespace Transfer.S3.Upload;

/// <summary>The source of the data of an upload, which is read part by part.</summary>
internal interface IUploadSource
{
    /// <summary>Gets the length of the source, in bytes; null if it isn't known.</summary>
    long? Length { get; }

    /// <summary>Gets the memory that a part takes.</summary>
    PartMemory PartMemory { get; }

    /// <summary>Reads the bytes of a part. If the length isn't known, the last part can be shorter.</summary>
    /// <exception cref="TransferException">Thrown when the source has fewer bytes than its length, or could not be read.</exception>
    ValueTask ReadPartAsync(long offset, long count, PartBody body, CancellationToken cancellationToken);

    /// <summary>Checks, after the last part was read, that the source has the expected length.</summary>
    ValueTask CheckEndAsync(CancellationToken cancellationToken);
}
