namespace Transfer.S3;

/// <summary>The options of the comparison of two objects.</summary>
public sealed record StoreVerifyOptions
{
    /// <summary>Gets the version of the source, and how it is read.</summary>
    /// <value>The default is the latest version, without a key.</value>
    public ObjectAccessOptions Source { get; init; } = new();

    /// <summary>Gets the version of the target, and how it is read.</summary>
    /// <value>The default is the latest version, without a key.</value>
    public ObjectAccessOptions Target { get; init; } = new();

    /// <summary>Gets a value that indicates whether the objects are read if their sizes, checksums, and ETags aren't conclusive.</summary>
    /// <value><see langword="true"/> to read them; otherwise, <see langword="false"/>. The default is <see langword="true"/>.</value>
    public bool ReadContent { get; init; } = true;
}
