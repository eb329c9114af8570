using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Finds ports for programs that are servers, and ends them.</summary>
internal static class ServerProcess
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    public static int FreePort()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    /// <summary>Asks a process to end by a signal, and kills it if it doesn't.</summary>
    public static async Task EndAsync(Process process, string signal = "TERM")
    {
        using Process quit = Process.Start("kill", ["-" + signal, process.Id.ToString(CultureInfo.InvariantCulture)]);
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
