namespace Transfer.S3.Server.Storage;

/// <summary>The immutable bytes of an upload or a part, which objects, parts, and copies share.</summary>
internal interface IBlob
{
    long Length { get; }

    /// <summary>Gets a value that indicates whether reads return the bytes that were written.</summary>
    bool KeepsBytes { get; }

    IBlobReader OpenReader();

    /// <summary>Adds a reference. Only the owner of a reference can call it.</summary>
    void AddReference();

    /// <summary>Releases a reference. With the last one, the storage of the blob is freed.</summary>
    void Release();
}
