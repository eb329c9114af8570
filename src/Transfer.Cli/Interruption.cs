using System.Runtime.InteropServices;

namespace Transfer.S3.Cli;

/// <summary>
/// Handles Ctrl+C, SIGTERM, and SIGHUP. The first signal cancels the command, which then cleans up. The second one limits the cleanup to a few seconds, because a
/// process that ends during it can leave an incomplete upload. The third one ends the process immediately.
/// </summary>
internal sealed class Interruption : IDisposable
{
    /// <summary>The time for cleanup after the second signal. Cleanup takes one request.</summary>
    internal static readonly TimeSpan Grace = TimeSpan.FromSeconds(5);

    private readonly TimeProvider _time;
    private readonly Action<string> _notify;
    private readonly Action<int> _exit;
    private readonly CancellationTokenSource _source = new();
    private readonly PosixSignalRegistration[] _registrations;
    private ITimer? _deadline;
    private int _signals;

    /// <param name="time">The clock.</param>
    /// <param name="notify">Tells the user what the second signal does.</param>
    /// <param name="exit">Ends the process.</param>
    public Interruption(TimeProvider time, Action<string> notify, Action<int> exit)
    {
        _time = time;
        _notify = notify;
        _exit = exit;
        _registrations = [.. ((PosixSignal[])[PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP]).Select(signal => PosixSignalRegistration.Create(signal, OnSignal))];
    }

    public CancellationToken Token => _source.Token;

    public void Dispose()
    {
        foreach (PosixSignalRegistration registration in _registrations)
        {
            registration.Dispose();
        }

        _deadline?.Dispose();
        _source.Dispose();
    }

    internal void OnSignal()
    {
        switch (Interlocked.Increment(ref _signals))
        {
            case 1:
                // This must not run on the thread that receives signals, which must be free for the next one.
                _ = _source.CancelAsync();
                break;
            case 2:
                _deadline = _time.CreateTimer(_ => _exit(ExitCode.Interrupted), null, Grace, Timeout.InfiniteTimeSpan);
                _notify($"cleaning up for at most {Grace.TotalSeconds:0} s; interrupt again to end immediately, which can leave an incomplete upload");
                break;
            default:
                _exit(ExitCode.Interrupted);
                break;
        }
    }

    private void OnSignal(PosixSignalContext context)
    {
        context.Cancel = true;
        OnSignal();
    }
}
