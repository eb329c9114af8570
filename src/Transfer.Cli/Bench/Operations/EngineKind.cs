namespace Transfer.Cli.Bench.Operations;

/// <summary>What moves the objects.</summary>
internal enum EngineKind
{
    /// <summary>This library.</summary>
    Transfer,

    /// <summary>AWSSDK's TransferUtility.</summary>
    Sdk,
}
