using Transfer.S3.IntegrationTests.Cli;

namespace Transfer.S3.IntegrationTests.Packaging;

/// <summary>A test of the native file. It is skipped if there is none, because a compiler takes longer than most of the other tests together.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NativeFactAttribute : FactAttribute
{
    /// <param name="isLong"><c>true</c> if only a long run includes the test.</param>
    public NativeFactAttribute(bool isLong = false)
    {
        IsLong = isLong;
        if (isLong && !LongTests.AreEnabled)
        {
            Skip = $"Set {LongTests.Variable}=1 to run the long tests.";
        }

        if (ToolFile.NativePath is null)
        {
            Skip = $"Set {ToolFile.Variable} to the native file that \"dotnet publish src/Transfer.Cli\" gives.";
        }
    }

    public bool IsLong { get; }
}
