using System.Diagnostics;
using System.Globalization;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>
/// A link between the network namespaces of a client and a server. Real TCP connections share its rate, delay, queue, and loss.
/// </summary>
internal sealed class WanLink : IAsyncDisposable
{
    /// <summary>The address of the server.</summary>
    public const string ServerAddress = "10.77.0.2";

    private readonly WanSettings _settings;
    private readonly Process _process;
    private readonly string _name;
    private CancellationTokenSource? _stopPause;
    private Task _pause = Task.CompletedTask;

    private WanLink(WanSettings settings, Process process, string name)
    {
        _settings = settings;
        _process = process;
        _name = name;
    }

    /// <summary>Gets the beginning of a command line that runs a program beside the client.</summary>
    public IReadOnlyList<string> Client => ["ip", "netns", "exec", _name + "c"];

    /// <summary>Gets the beginning of a command line that runs a program beside the server.</summary>
    public IReadOnlyList<string> Server => ["ip", "netns", "exec", _name + "s"];

    private string CommandFile => $"/tmp/wan-{_name}.in";

    public static async Task<WanLink> StartAsync(WanSettings settings)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"t{Environment.ProcessId % 100_000}");
        string[] arguments = [name, Format(settings.BytesPerSecond), Format(settings.DelayMilliseconds), Format(settings.QueueBytes), Format(settings.LossPercent)];
        ProcessStartInfo start = new(Peers.WanProgram!, arguments) { UseShellExecute = false, RedirectStandardOutput = true };
        start.Environment["MTU"] = Format(settings.Mtu);
        Process process = Process.Start(start)!;
        using CancellationTokenSource limit = new(TimeSpan.FromSeconds(30));
        if (await process.StandardOutput.ReadLineAsync(limit.Token) != "up")
        {
            throw new InvalidOperationException("The emulated link didn't start. It needs root, ip, and a C compiler.");
        }

        return new WanLink(settings, process, name);

        static string Format(double number) => number.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>Starts the time until the link loses all packets, if it does that.</summary>
    public void BeginMeasurement()
    {
        if (_settings.LossOfAll is { } loss)
        {
            _stopPause = new CancellationTokenSource();
            _pause = LoseAllAsync(loss, _stopPause.Token);
        }
    }

    /// <summary>Makes the link carry packets again.</summary>
    public async Task EndMeasurementAsync()
    {
        if (_stopPause is { } stop)
        {
            await stop.CancelAsync();
            await _pause;
            stop.Dispose();
            _stopPause = null;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await EndMeasurementAsync();
        _stopPause?.Dispose();
        await ServerProcess.EndAsync(_process);
        File.Delete(CommandFile);
        File.Delete(Path.ChangeExtension(CommandFile, ".out"));
    }

    private async Task LoseAllAsync((TimeSpan After, TimeSpan For) loss, CancellationToken stop)
    {
        await DelayAsync(loss.After);
        if (!stop.IsCancellationRequested)
        {
            await File.WriteAllTextAsync(CommandFile, "loss 100\n", CancellationToken.None);
            await DelayAsync(loss.For);
            await File.WriteAllTextAsync(CommandFile, "loss 0\n", CancellationToken.None);
        }

        Task DelayAsync(TimeSpan time) => Task.Delay(time, stop).ContinueWith(static _ => { }, TaskScheduler.Default);
    }
}
