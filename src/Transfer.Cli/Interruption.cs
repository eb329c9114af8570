using System.Runtime.InteropServices;

namespace Transfer.Cli;

/// <summary>
/// Handles Ctrl-C, SIGTERM and SIGHUP. The first one cancels, so that what was begun is cleaned up. The second one gives that a few more seconds, because a
/// process that ends meanwhile leaves an upload open. The third one ends the process at once.
/// </summary>
internal sealed class Interruption : IDisposable
{
    /// <summary>How long the second signal waits: an abort is one request.</summary>
    internal static readonly TimeSpan Grace = TimeSpan.FromSeconds(5);

    private readonly TimeProvider _time;
    private readonly Action<string> _tell;
    private readonly Action<int> _exit;
    private readonly CancellationTokenSource _source = new();
    private readonly PosixSignalRegistration[] _registrations;
    private ITimer? _deadline;
    private int _signals;

    /// <param name="time">The clock.</param>
    /// <param name="tell">Tells the user what the second signal does.</param>
    /// <param name="exit">Ends the process.</param>
    public Interruption(TimeProvider time, Action<string> tell, Action<int> exit)
    {
        _time = time;
        _tell = tell;
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
                // Not on the thread that signals come in on: it must be free for the next one.
                _ = _source.CancelAsync();
                break;
            case 2:
                _deadline = _time.CreateTimer(_ => _exit(ExitCode.Interrupted), null, Grace, Timeout.InfiniteTimeSpan);
                _tell($"cleaning up for at most {Grace.TotalSeconds:0} s; interrupt again to end at once, which may leave an upload open");
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
