namespace Transfer.IntegrationTests.Faults;

/// <summary>One operation of the client as the matrix runs it.</summary>
/// <param name="Name">How a failed cell is named.</param>
/// <param name="PrepareAsync">Puts in place what it works on, before anything fails.</param>
/// <param name="RunAsync">Runs it. What it returns without a failure was looked at: the bytes are right.</param>
internal sealed record FaultOperation(string Name, Func<FaultStage, Task> PrepareAsync, Func<FaultStage, Task> RunAsync)
{
    /// <summary>Files that a failure may leave at the target, whole: those of a folder are files of their own.</summary>
    public IReadOnlyDictionary<string, byte[]> MayLeave { get; init; } = new Dictionary<string, byte[]>();

    /// <summary>Whether it begins with a HEAD, whose errors have no body: on its wire the SDK does not learn from one that its clock is wrong.</summary>
    public bool BeginsWithHead { get; init; }

    /// <summary>Whether uploads are there before it.</summary>
    public bool FindsUploads { get; init; }

    public override string ToString() => Name;
}
