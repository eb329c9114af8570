namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>One operation of the client in the matrix.</summary>
/// <param name="Name">The name of the operation in failures.</param>
/// <param name="PrepareAsync">Prepares the files and objects before any fault.</param>
/// <param name="RunAsync">Runs the operation, and checks the bytes of its result.</param>
internal sealed record FaultOperation(string Name, Func<FaultStage, Task> PrepareAsync, Func<FaultStage, Task> RunAsync)
{
    /// <summary>Gets the complete files that a failure may leave at the target. Each file of a folder is separate.</summary>
    public IReadOnlyDictionary<string, byte[]> MayLeave { get; init; } = new Dictionary<string, byte[]>();

    /// <summary>
    /// Gets a value that indicates whether the first request is a HEAD. Its errors have no body, so the SDK can't detect that its clock is wrong.
    /// </summary>
    public bool BeginsWithHead { get; init; }

    /// <summary>Gets a value that indicates whether uploads exist before the operation.</summary>
    public bool FindsUploads { get; init; }

    public override string ToString() => Name;
}
