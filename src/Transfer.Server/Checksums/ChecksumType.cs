namespace Transfer.S3.Server.Checksums;

/// <summary>Specifies what the checksum of a multipart object covers.</summary>
internal enum ChecksumType
{
    /// <summary>All bytes of the object, as if it had been uploaded as one part.</summary>
    FullObject,

    /// <summary>The checksums of the parts.</summary>
    Composite,
}
