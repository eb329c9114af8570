namespace Transfer.Server.Storage;

/// <summary>Where the bytes of uploads go: memory, a folder, or nowhere.</summary>
internal interface IBlobStore
{
    /// <summary>Whether the store reads back what was written to it.</summary>
    bool KeepsBytes { get; }

    /// <param name="length">How many bytes will come.</param>
    IBlobWriter CreateWriter(long length);
}
