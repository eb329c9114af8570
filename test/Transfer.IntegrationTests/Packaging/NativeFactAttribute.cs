using Transfer.Tests.Infrastructure;

namespace Transfer.IntegrationTests.Packaging;

/// <summary>A long test that compiles a native file. It is skipped if the machine has no linker for it.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NativeFactAttribute : FactAttribute
{
    private static readonly string[] Compilers = ["clang", "gcc"];

    public NativeFactAttribute()
    {
        string[] folders = (Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(Path.PathSeparator);
        if (!LongTests.AreEnabled)
        {
            Skip = $"Set {LongTests.Variable}=1 to run the long tests.";
        }
        else if (!Array.Exists(folders, folder => Array.Exists(Compilers, compiler => File.Exists(Path.Combine(folder, compiler)))))
        {
            Skip = $"None of these compilers is installed: {string.Join(", ", Compilers)}";
        }
    }
}
