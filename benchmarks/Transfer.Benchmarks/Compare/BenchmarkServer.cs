using System.Diagnostics;
using System.Globalization;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>A server in a separate process, so that its cost is not included in that of the client.</summary>
internal abstract class BenchmarkServer(Process process, Uri endpoint) : IAsyncDisposable
{
    public Uri Endpoint => endpoint;

    /// <summary>Gets the path of a file with the server's certificate; null for plain HTTP.</summary>
    public string? CertificatePath { get; init; }

    /// <summary>Gets the beginning of a command line that runs a client in the server's network; empty if each process is in it.</summary>
    public virtual IReadOnlyList<string> ClientCommand => [];

    protected Process Process => process;

    /// <summary>Starts a server with the objects that a contest reads, in each of these sizes. A contest of many objects has only one size.</summary>
    public static async Task<BenchmarkServer> StartAsync(ServerKind kind, Contest contest, IReadOnlyList<long> sizes)
        => kind switch
        {
            ServerKind.Nginx or ServerKind.NginxTls => await NginxServer.StartAsync(kind, contest, sizes),
            >= ServerKind.Peer => await PeerServer.StartAsync(kind, contest, sizes),
            _ => await EmbeddedServer.StartAsync(kind, contest, sizes),
        };

    /// <summary>Returns what a kind of server lacks on this machine; null if it can start.</summary>
    public static string? FindMissing(ServerKind kind) => kind switch
    {
        ServerKind.Nginx or ServerKind.NginxTls when NginxServer.Executable is null => "nginx is not installed",
        >= ServerKind.Peer when Peers.Program is null => $"--peers or {Peers.Variable} must name the folder of the program \"peer\"",
        >= ServerKind.WanHome when Peers.WanProgram is null => $"--wan or {Peers.WanVariable} must name the folder of the program \"wan-up\"",
        _ => null,
    };

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
