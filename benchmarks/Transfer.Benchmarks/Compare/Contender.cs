namespace Transfer.Benchmarks.Compare;

/// <summary>One way of doing a thing. Each measurement of it has a process of its own.</summary>
/// <param name="Name">As the table shows it.</param>
/// <param name="RunAsync">Does it once.</param>
internal sealed record Contender(string Name, Func<Workbench, Task> RunAsync)
{
    /// <summary>Makes what it works on, before anything is measured.</summary>
    public Action<Workbench>? Prepare { get; init; }

    /// <summary>The options of its <see cref="Workbench.Client"/>; null for the defaults.</summary>
    public TransferClientOptions? ClientOptions { get; init; }

    /// <summary>Whether it is one of the settings that the defaults are compared with. The fastest of them counts.</summary>
    public bool IsReference { get; init; }
}
