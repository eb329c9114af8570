using System.Diagnostics;
using Transfer.S3.IntegrationTests.Cli;

namespace Transfer.S3.IntegrationTests.Packaging;

/// <summary>The native file that a publish without options gives. All tests that start the tool run it too.</summary>
public sealed class NativeToolTests : ToolTest
{
    private const int LargestFile = 32_500_000;

    /// <summary>The machine can be busy with something else, so the fastest one counts.</summary>
    private const int Starts = 10;

    /// <summary>Debugging information is beside the file, not in it.</summary>
    [NativeFact]
    public void Publish_WithoutOptions_GivesOneFile()
    {
        string folder = Path.GetDirectoryName(Path.GetFullPath(ToolFile.NativePath!))!;

        string file = Assert.Single(Directory.GetFiles(folder), static path => Path.GetExtension(path) is not ".dbg" and not ".pdb");

        Assert.Equal(Path.GetFullPath(ToolFile.NativePath!), file);
        Assert.InRange(new FileInfo(file).Length, 1, LargestFile);
    }

    /// <summary>The native file takes about a sixth of the time of the build that starts a runtime first. A loaded machine slows down both.</summary>
    [NativeFact]
    public async Task Version_BesideTheBuildThatStartsARuntime_TakesLessThanHalfOfTheTime()
    {
        (TimeSpan native, TimeSpan built) = (TimeSpan.MaxValue, TimeSpan.MaxValue);
        for (int i = 0; i < Starts; i++)
        {
            native = Shorter(native, await StartAsync(ToolFile.UnderTest));
            built = Shorter(built, await StartAsync(ToolFile.Built));
        }

        Assert.True(native < built / 2, $"The fastest of {Starts} starts takes {native.TotalMilliseconds:N0} ms, and {built.TotalMilliseconds:N0} ms with a runtime.");
    }

    private static TimeSpan Shorter(TimeSpan one, TimeSpan other) => one < other ? one : other;

    private async Task<TimeSpan> StartAsync(ToolFile tool)
    {
        long started = Stopwatch.GetTimestamp();
        ToolOutcome outcome = await ToolProcess.RunAsync(tool, Environment, "--version");
        TimeSpan elapsed = Stopwatch.GetElapsedTime(started);
        Assert.StartsWith("transfer 1.0.0-rc.1", outcome.Expect(0).Text, StringComparison.Ordinal);
        return elapsed;
    }
}
