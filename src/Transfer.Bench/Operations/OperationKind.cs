namespace Transfer.S3.Bench.Operations;

/// <summary>Specifies the operation to measure.</summary>
internal enum OperationKind
{
    /// <summary>Get the properties of objects.</summary>
    Head,

    /// <summary>Download large objects in ranges.</summary>
    Get,

    /// <summary>Upload large objects in parts.</summary>
    Put,

    /// <summary>Upload and download small objects, each in one request.</summary>
    Small,

    /// <summary>One upload for every three downloads of large objects.</summary>
    Mixed,
}
