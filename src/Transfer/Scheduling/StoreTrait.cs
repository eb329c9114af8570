namespace Transfer.Scheduling;

/// <summary>Something that not every store supports.</summary>
internal enum StoreTrait
{
    /// <summary>GetObjectAttributes.</summary>
    Attributes,

    /// <summary>If-None-Match of PutObject.</summary>
    PutCondition,

    /// <summary>If-None-Match of CompleteMultipartUpload.</summary>
    CompleteCondition,

    /// <summary>If-None-Match of CopyObject.</summary>
    CopyCondition,

    /// <summary>If-None-Match of any of these. It is learned for the one warning of a bucket.</summary>
    AnyCondition,

    /// <summary>CRC-64/NVME of uploads.</summary>
    Crc64Nvme,

    /// <summary>CRC-32C of uploads.</summary>
    Crc32C,
}
