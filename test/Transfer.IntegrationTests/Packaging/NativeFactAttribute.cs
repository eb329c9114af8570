using Transfer.IntegrationTests.Cli;

namespace Transfer.IntegrationTests.Packaging;

/// <summary>A test of the native file. It is skipped if there is none, because a compiler takes longer than most of the other tests together.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NativeFactAttribute : FactAttribute
{
    public NativeFactAttribute()
    {
        if (ToolFile.NativePath is null)
        {
            Skip = $"Set {ToolFile.Variable} to the native file that \"dotnet publish src/Transfer.Cli\" gives.";
        }
    }
}
