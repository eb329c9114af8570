using System.Diagnostics;
using System.Globalization;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Ends processes that run until they get a signal.</summary>
internal static class ServerProcess
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    /// <summary>Asks a process to end, and kills it if it doesn't.</summary>
    public static async Task EndAsync(Process process)
    {
        using Process quit = Process.Start("kill", ["-TERM", process.Id.ToString(CultureInfo.InvariantCulture)]);
        await quit.WaitForExitAsync();
        using CancellationTokenSource limit = new(Limit);
        await process.WaitForExitAsync(limit.Token).ContinueWith(static _ => { }, TaskScheduler.Default);
        if (!process.HasExited)
        {
            process.Kill();
        }

        process.Dispose();
    }
}
