namespace Transfer.S3.Bench.Operations;

/// <summary>Specifies the library that transfers the objects.</summary>
internal enum EngineKind
{
    /// <summary>This library.</summary>
    Transfer,

    /// <summary>The TransferUtility of the AWS SDK.</summary>
    Sdk,
}
