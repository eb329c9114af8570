namespace Transfer.S3.Benchmarks.Compare;

/// <summary>One way of performing an operation. Each measurement runs in a separate process.</summary>
/// <param name="Name">The name in the table.</param>
/// <param name="RunAsync">Performs the operation once.</param>
internal sealed record Contender(string Name, Func<Workbench, Task> RunAsync)
{
    /// <summary>Gets an action that prepares the data before the measurement.</summary>
    public Action<Workbench>? Prepare { get; init; }

    /// <summary>Gets an action that prepares the store before the measurement.</summary>
    public Func<Workbench, Task>? PrepareAsync { get; init; }

    /// <summary>Gets the action that warms the process up; null to repeat the operation itself.</summary>
    public Func<Workbench, Task>? WarmUpAsync { get; init; }

    /// <summary>Gets the options of its <see cref="Workbench.Client"/>; null for the defaults.</summary>
    public TransferClientOptions? ClientOptions { get; init; }

    /// <summary>
    /// Gets a value that indicates whether the defaults are compared with this contender. If there are several, the fastest is used.
    /// </summary>
    public bool IsReference { get; init; }

    /// <summary>Gets a value that indicates whether it runs a program that warms up itself, or is measured as a new process.</summary>
    public bool WarmsUpItself { get; init; }

    /// <summary>Gets a value that indicates whether it can't use TLS, so that it isn't measured with servers that require it.</summary>
    public bool NeedsHttp { get; init; }
}
