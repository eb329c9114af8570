namespace Transfer.S3.Testing;

/// <summary>A test that needs a program of the machine. It is skipped if the program is not installed.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ProgramFactAttribute : FactAttribute
{
    /// <param name="program">The file name of the program.</param>
    public ProgramFactAttribute(string program)
    {
        Program = program;
        if (!IsInstalled(program))
        {
            Skip = $"{program} is not installed";
        }
    }

    public string Program { get; }

    public static bool IsInstalled(string program)
        => Array.Exists((Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(Path.PathSeparator), folder => File.Exists(Path.Combine(folder, program)));
}
