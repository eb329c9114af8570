namespace Transfer.Scheduling;

/// <summary>A request that publishes an object. A store may support conditions on one of them and not on another.</summary>
internal enum PublishOperation
{
    /// <summary>PutObject.</summary>
    Put,

    /// <summary>CompleteMultipartUpload.</summary>
    Complete,

    /// <summary>CopyObject.</summary>
    Copy,
}
