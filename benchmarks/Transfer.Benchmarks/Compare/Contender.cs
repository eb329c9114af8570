namespace Transfer.Benchmarks.Compare;

/// <summary>One way of doing a thing. Each measurement of it has a process of its own.</summary>
/// <param name="Name">As the table shows it.</param>
/// <param name="RunAsync">Does it once.</param>
internal sealed record Contender(string Name, Func<Workbench, Task> RunAsync)
{
    /// <summary>Makes what it works on, before anything is measured.</summary>
    public Action<Workbench>? Prepare { get; init; }
}
