namespace Transfer.Server.Checksums;

/// <summary>What the checksum of an object of several parts covers.</summary>
internal enum ChecksumType
{
    /// <summary>All bytes of the object, as if it were one part.</summary>
    FullObject,

    /// <summary>The checksums of the parts.</summary>
    Composite,
}
