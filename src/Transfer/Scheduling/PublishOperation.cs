namespace Transfer.Scheduling;

/// <summary>The request that publishes an object. A store can support conditions for some of these requests only.</summary>
internal enum PublishOperation
{
    /// <summary>PutObject.</summary>
    Put,

    /// <summary>CompleteMultipartUpload.</summary>
    Complete,

    /// <summary>CopyObject.</summary>
    Copy,
}
