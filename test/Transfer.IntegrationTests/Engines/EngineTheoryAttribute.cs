namespace Transfer.S3.IntegrationTests.Engines;

/// <summary>A theory that starts an engine of this machine for itself. It is skipped if that isn't possible.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class EngineTheoryAttribute : TheoryAttribute
{
    /// <param name="package">The package of Debian that has the programs.</param>
    /// <param name="programs">The file names of the programs.</param>
    public EngineTheoryAttribute(string package, params string[] programs)
    {
        (Package, Programs) = (package, programs);
        string? missing = programs.FirstOrDefault(program => !ProgramFactAttribute.IsInstalled(program));
        Skip = missing is not null ? $"{missing} is not installed, which is in the package {package}"
            : !Environment.IsPrivilegedProcess ? "The daemons of an engine need root to run tasks."
            : null;
    }

    public string Package { get; }

    public IReadOnlyList<string> Programs { get; }
}
