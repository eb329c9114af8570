using System.Diagnostics;
using Transfer.IntegrationTests.Cli;

namespace Transfer.IntegrationTests.Packaging;

/// <summary>The native file that a publish without options gives. All tests that start the tool run it too.</summary>
public sealed class NativeToolTests : ToolTest
{
    private const int LargestFile = 30_000_000;

    /// <summary>The machine can be busy with something else, so the fastest one counts.</summary>
    private const int Starts = 20;

    /// <summary>It takes 10 ms, and 80 ms if a runtime starts first.</summary>
    private static readonly TimeSpan LongestStart = TimeSpan.FromMilliseconds(50);

    /// <summary>Debugging information is beside the file, not in it.</summary>
    [NativeFact]
    public void Publish_WithoutOptions_GivesOneFile()
    {
        string folder = Path.GetDirectoryName(Path.GetFullPath(ToolFile.NativePath!))!;

        string file = Assert.Single(Directory.GetFiles(folder), static path => Path.GetExtension(path) is not ".dbg" and not ".pdb");

        Assert.Equal(Path.GetFullPath(ToolFile.NativePath!), file);
        Assert.InRange(new FileInfo(file).Length, 1, LargestFile);
    }

    [NativeFact]
    public async Task Version_StartsFast()
    {
        TimeSpan fastest = TimeSpan.MaxValue;
        for (int i = 0; i < Starts; i++)
        {
            long started = Stopwatch.GetTimestamp();
            Assert.StartsWith("transfer 0.1.0", (await RunAsync("--version")).Expect(0).Text, StringComparison.Ordinal);
            TimeSpan elapsed = Stopwatch.GetElapsedTime(started);
            fastest = elapsed < fastest ? elapsed : fastest;
        }

        Assert.True(fastest <= LongestStart, $"The fastest of {Starts} starts takes {fastest.TotalMilliseconds:N0} ms.");
    }
}
