namespace Transfer.Cli.Bench.Operations;

/// <summary>What is measured.</summary>
internal enum OperationKind
{
    /// <summary>Asking for objects' headers.</summary>
    Head,

    /// <summary>Reading large objects by ranges.</summary>
    Get,

    /// <summary>Writing large objects in parts.</summary>
    Put,

    /// <summary>Writing and reading small objects, each in one request.</summary>
    Small,

    /// <summary>Reading large objects, and of every four writing one.</summary>
    Mixed,
}
