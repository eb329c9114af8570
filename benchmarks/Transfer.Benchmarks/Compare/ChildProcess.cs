using System.Diagnostics;

namespace Transfer.Benchmarks.Compare;

/// <summary>This program once more.</summary>
internal static class ChildProcess
{
    public static Process Start(IEnumerable<string> arguments)
    {
        // The host may be `dotnet`, which then needs to be told which program it runs.
        string host = Environment.ProcessPath!;
        bool isShared = Path.GetFileNameWithoutExtension(host) == "dotnet";
        ProcessStartInfo start = new(host, isShared ? [typeof(ChildProcess).Assembly.Location, .. arguments] : arguments)
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        return Process.Start(start)!;
    }
}
