using System.Diagnostics;
using System.Globalization;

namespace Transfer.Benchmarks.Compare;

/// <summary>A server in a process of its own: what it costs is not the client's.</summary>
internal abstract class BenchmarkServer(Process process, Uri endpoint) : IAsyncDisposable
{
    public Uri Endpoint => endpoint;

    /// <summary>A file with the certificate that the server shows; null where it speaks plain http.</summary>
    public string? CertificatePath { get; init; }

    protected Process Process => process;

    /// <summary>Starts a server that holds what a contest reads, in each of these sizes; only one, if it reads many objects.</summary>
    public static async Task<BenchmarkServer> StartAsync(ServerKind kind, Contest contest, IReadOnlyList<long> sizes)
        => kind is ServerKind.Nginx or ServerKind.NginxTls ? await NginxServer.StartAsync(kind, contest, sizes) : await EmbeddedServer.StartAsync(kind, contest, sizes);

    /// <summary>Begins to record what the server counts, and sets its shaping back to where each measurement begins.</summary>
    public virtual Task BeginRecordingAsync() => Task.CompletedTask;

    /// <summary>Ends the recording.</summary>
    /// <returns>What was recorded; null if the server can't tell.</returns>
    public virtual Task<ServerRecording?> EndRecordingAsync() => Task.FromResult<ServerRecording?>(null);

    /// <summary>Processor time so far of the server and of the processes that it has started.</summary>
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
