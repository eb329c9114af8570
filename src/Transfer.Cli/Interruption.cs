using System.Runtime.InteropServices;

namespace Transfer.Cli;

/// <summary>Ctrl-C, and SIGTERM: the first cancels, so that what was begun is cleaned up; the second ends the process at once.</summary>
internal sealed class Interruption : IDisposable
{
    private readonly CancellationTokenSource _source = new();
    private readonly PosixSignalRegistration[] _registrations;
    private int _signals;

    public Interruption()
        => _registrations = [PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal), PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal)];

    public CancellationToken Token => _source.Token;

    public void Dispose()
    {
        foreach (PosixSignalRegistration registration in _registrations)
        {
            registration.Dispose();
        }

        _source.Dispose();
    }

    private void OnSignal(PosixSignalContext context)
    {
        context.Cancel = true;
        if (Interlocked.Increment(ref _signals) > 1)
        {
            Environment.Exit(ExitCode.Interrupted);
        }

        // Not on the thread that signals come in on: it must be free for the second one.
        _ = _source.CancelAsync();
    }
}
