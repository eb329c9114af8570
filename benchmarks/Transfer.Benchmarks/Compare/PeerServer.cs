using System.Diagnostics;
using System.Globalization;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The cheap server <c>fasts3</c> of <see cref="Peers"/>, on loopback or behind an emulated link.</summary>
internal sealed class PeerServer(Process process, Uri endpoint, WanLink? link, string folder) : BenchmarkServer(process, endpoint)
{
    private const int WanPort = 9000;
    private const int Attempts = 100;
    private static readonly TimeSpan BetweenAttempts = TimeSpan.FromMilliseconds(100);
    private long _begin;

    public override IReadOnlyList<string> ClientCommand => link?.Client ?? [];

    public static new async Task<BenchmarkServer> StartAsync(ServerKind kind, Contest contest, IReadOnlyList<long> sizes)
    {
        string folder = Scratch.NewPath();
        Directory.CreateDirectory(folder);
        string? certificatePath = kind == ServerKind.PeerTls ? Path.Combine(folder, "certificate.pem") : null;
        string keyPath = Path.Combine(folder, "key.pem");
        if (certificatePath is not null)
        {
            await ServerCertificate.WriteAsync(certificatePath, keyPath);
        }

        if (contest is { IsTree: true, IsUpload: false })
        {
            Tree.Write(Path.Combine(folder, BenchmarkStore.Bucket, Tree.Prefix), sizes[0], contest.ObjectsPerRun);
        }

        WanLink? link = WanSettings.Find(kind) is { } settings ? await WanLink.StartAsync(settings) : null;
        string address = link is null ? $"127.0.0.1:{ServerProcess.FreePort()}" : string.Create(CultureInfo.InvariantCulture, $"{WanLink.ServerAddress}:{WanPort}");
        List<string> command = [.. link?.Server ?? [], Peers.Program!, "fasts3", "-dir", folder, "-addr", address];
        if (contest.IsUpload)
        {
            command.Add("-discard");
        }

        if (certificatePath is not null)
        {
            command.AddRange(["-cert", certificatePath, "-key", keyPath]);
        }

        ProcessStartInfo start = new(command[0], command.Skip(1)) { UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true };
        Process process = Process.Start(start)!;
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        PeerServer server = new(process, new Uri($"{(certificatePath is null ? "http" : "https")}://{address}"), link, folder) { CertificatePath = certificatePath };
        await server.WaitUntilItListensAsync();
        foreach (long size in contest.IsUpload || contest.IsTree ? [] : sizes)
        {
            await server.AdministerAsync(string.Create(CultureInfo.InvariantCulture, $"synth?key={BenchmarkStore.Bucket}/{Workbench.ObjectKey(size)}&size={size}"));
        }

        return server;
    }

    public override async Task BeginRecordingAsync()
    {
        await AdministerAsync("reset");
        _begin = Stopwatch.GetTimestamp();
        link?.BeginMeasurement();
    }

    public override async Task<ServerRecording?> EndRecordingAsync()
    {
        long end = Stopwatch.GetTimestamp();
        await (link?.EndMeasurementAsync() ?? Task.CompletedTask);
        PeerCounters counters = PeerCounters.Parse(await AdministerAsync("stats"));
        return new ServerRecording([new(_begin, 0, 0, 0, 0), new(end, counters.Sent + counters.Received, counters.Received, counters.Requests, 0)], [], []);
    }

    public override async ValueTask DisposeAsync()
    {
        await ServerProcess.EndAsync(Process);
        await (link?.DisposeAsync() ?? ValueTask.CompletedTask);
        Directory.Delete(folder, recursive: true);
    }

    private async Task WaitUntilItListensAsync()
    {
        for (int attempt = 0; (await AdministerAsync("stats", mayFail: true)).Length == 0; attempt++)
        {
            if (attempt == Attempts || Process.HasExited)
            {
                await DisposeAsync();
                throw new InvalidOperationException("The server didn't start.");
            }

            await Task.Delay(BetweenAttempts);
        }
    }

    /// <summary>Calls the server's own interface. A program does so, because this process isn't in the server's network.</summary>
    private async Task<string> AdministerAsync(string path, bool mayFail = false)
    {
        string[] command = [.. link?.Server ?? [], "curl", "--silent", "--insecure", "--noproxy", "*", "--max-time", "10", new Uri(Endpoint, $"_admin/{path}").ToString()];
        using Process curl = Process.Start(new ProcessStartInfo(command[0], command.Skip(1)) { UseShellExecute = false, RedirectStandardOutput = true })!;
        string answer = await curl.StandardOutput.ReadToEndAsync();
        await curl.WaitForExitAsync();
        return curl.ExitCode == 0 || mayFail ? answer : throw new InvalidOperationException($"The server didn't answer {path}: curl failed with exit code {curl.ExitCode}.");
    }
}
