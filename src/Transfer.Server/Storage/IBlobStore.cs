namespace Transfer.S3.Server.Storage;

/// <summary>Stores the bytes of uploads: in memory, in a directory, or not at all.</summary>
internal interface IBlobStore
{
    /// <summary>Gets a value that indicates whether reads return the bytes that were written.</summary>
    bool KeepsBytes { get; }

    /// <param name="length">The number of bytes that will be written.</param>
    IBlobWriter CreateWriter(long length);
}
