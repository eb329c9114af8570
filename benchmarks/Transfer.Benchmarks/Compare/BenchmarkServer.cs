using System.Diagnostics;
using System.Globalization;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>A server in a separate process, so that its cost is not included in that of the client.</summary>
internal abstract class BenchmarkServer(Process process, Uri endpoint) : IAsyncDisposable
{
    public Uri Endpoint => endpoint;

    /// <summary>Gets the path of a file with the server's certificate; null for plain HTTP.</summary>
    public string? CertificatePath { get; init; }

    protected Process Process => process;

    /// <summary>Starts a server with the objects that a contest reads, in each of these sizes. A contest of many objects has only one size.</summary>
    public static async Task<BenchmarkServer> StartAsync(ServerKind kind, Contest contest, IReadOnlyList<long> sizes)
        => kind is ServerKind.Nginx or ServerKind.NginxTls ? await NginxServer.StartAsync(kind, contest, sizes) : await EmbeddedServer.StartAsync(kind, contest, sizes);

    /// <summary>Starts recording the server's counters, and resets its shaping to the state at the start of each measurement.</summary>
    public virtual Task BeginRecordingAsync() => Task.CompletedTask;

    /// <summary>Keeps the server's current counters in the recording.</summary>
    public virtual Task MarkAsync() => Task.CompletedTask;

    /// <summary>Ends the recording.</summary>
    /// <returns>The recording; null if the server doesn't support it.</returns>
    public virtual Task<ServerRecording?> EndRecordingAsync() => Task.FromResult<ServerRecording?>(null);

    /// <summary>Returns the CPU time so far of the server and its child processes.</summary>
    public TimeSpan CpuTime()
    {
        process.Refresh();
        TimeSpan total = process.TotalProcessorTime;
        string children = $"/proc/{process.Id}/task/{process.Id}/children";
        foreach (string id in File.Exists(children) ? File.ReadAllText(children).Split(' ', StringSplitOptions.RemoveEmptyEntries) : [])
        {
            using Process child = Process.GetProcessById(int.Parse(id, CultureInfo.InvariantCulture));
            total += child.TotalProcessorTime;
        }

        return total;
    }

    public abstract ValueTask DisposeAsync();
}
