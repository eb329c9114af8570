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
    private static readonly TimeSpan BetweenSamples = TimeSpan.FromMilliseconds(25);
    private static readonly HttpClient Client = new(new SocketsHttpHandler { UseProxy = false });
    private readonly List<ServerSample> _samples = [];
    private volatile bool _isRecording;
    private Task _sampled = Task.CompletedTask;

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

        Shaping shaping = ServerSettings.Find(kind).Shaping;
        if (shaping != Shaping.None)
        {
            command.AddRange(
            [
                "-ttfb", string.Create(CultureInfo.InvariantCulture, $"{shaping.FirstByteDelay.TotalMilliseconds}ms"),
                "-conn-bps", (shaping.ConnectionBytesPerSecond ?? 0).ToString(CultureInfo.InvariantCulture),
                "-link-bps", (shaping.LinkBytesPerSecond ?? 0).ToString(CultureInfo.InvariantCulture),
            ]);
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
        _samples.Clear();
        _samples.Add(new ServerSample(Stopwatch.GetTimestamp(), 0, 0, 0, 0));
        link?.BeginMeasurement();
        _isRecording = IsReachable;
        _sampled = Task.Run(SampleAsync);
    }

    public override async Task<ServerRecording?> EndRecordingAsync()
    {
        _isRecording = false;
        await _sampled;
        long end = Stopwatch.GetTimestamp();
        await (link?.EndMeasurementAsync() ?? Task.CompletedTask);
        await AddSampleAsync(end);
        return new ServerRecording([.. _samples], [], []);
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

    /// <summary>Gets a value that indicates whether this process can call the server: it is in the same network, and no certificate is in the way.</summary>
    private bool IsReachable => link is null && CertificatePath is null;

    private async Task SampleAsync()
    {
        while (_isRecording)
        {
            await AddSampleAsync(Stopwatch.GetTimestamp());
            await Task.Delay(BetweenSamples);
        }
    }

    private async Task AddSampleAsync(long time)
    {
        PeerCounters counters = PeerCounters.Parse(await AdministerAsync("stats"));
        _samples.Add(new ServerSample(time, counters.Sent + counters.Received, counters.Received, counters.Requests, 0));
    }

    /// <summary>Calls the server's own interface: by a program if this process can't.</summary>
    private async Task<string> AdministerAsync(string path, bool mayFail = false)
    {
        Uri address = new(Endpoint, $"_admin/{path}");
        if (IsReachable)
        {
            try
            {
                return await Client.GetStringAsync(address);
            }
            catch (HttpRequestException) when (mayFail)
            {
                return string.Empty;
            }
        }

        string[] command = [.. link?.Server ?? [], "curl", "--silent", "--insecure", "--noproxy", "*", "--max-time", "10", address.ToString()];
        using Process curl = Process.Start(new ProcessStartInfo(command[0], command.Skip(1)) { UseShellExecute = false, RedirectStandardOutput = true })!;
        string answer = await curl.StandardOutput.ReadToEndAsync();
        await curl.WaitForExitAsync();
        return curl.ExitCode == 0 || mayFail ? answer : throw new InvalidOperationException($"The server didn't answer {path}: curl failed with exit code {curl.ExitCode}.");
    }
}
