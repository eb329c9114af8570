namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>A test that needs a program of the machine. It is skipped if the program is not installed.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ProgramFactAttribute : FactAttribute
{
    /// <param name="program">The file name of the program.</param>
    public ProgramFactAttribute(string program)
    {
        Program = program;
        string[] folders = (Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(Path.PathSeparator);
        if (!Array.Exists(folders, folder => File.Exists(Path.Combine(folder, program))))
        {
            Skip = $"{program} is not installed";
        }
    }

    public string Program { get; }
}
