namespace Transfer.Server.Storage;

/// <summary>A run of bytes that one upload brought; never changed, shared by whatever object, part or copy holds it.</summary>
internal interface IBlob
{
    long Length { get; }

    /// <summary>Whether what is read is what was written.</summary>
    bool KeepsBytes { get; }

    IBlobReader OpenReader();

    /// <summary>One more holder. Only a holder may call it.</summary>
    void AddReference();

    /// <summary>One holder less; with the last, what the blob occupies is given back.</summary>
    void Release();
}
