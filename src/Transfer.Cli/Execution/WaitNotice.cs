using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Execution;

/// <summary>Tells whoever waits what for: a line on standard error when the store has been silent for some seconds, and again each time that the wait has doubled.</summary>
internal sealed class WaitNotice : IDisposable
{
    /// <summary>The silence after which the first line is written.</summary>
    internal static readonly TimeSpan First = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private readonly Invocation _invocation;
    private readonly List<Watched> _clients = [];
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private bool _isDisposed;

    public WaitNotice(Invocation invocation)
    {
        _invocation = invocation;
        _timer = invocation.Time.CreateTimer(static state => ((WaitNotice)state!).Look(), this, Interval, Interval);
    }

    /// <summary>Watches a client until the command ends.</summary>
    /// <param name="store">The name of its store.</param>
    /// <param name="find">Gets what the client waits for; null for nothing.</param>
    public void Add(string store, Func<StoreWait?> find)
    {
        lock (_gate)
        {
            _clients.Add(new Watched(store, find));
        }
    }

    public void Dispose()
    {
        _timer.Dispose();
        lock (_gate)
        {
            _isDisposed = true; // a message after the result would be confusing
        }
    }

    /// <summary>Gets the line about a wait.</summary>
    internal static string Format(string store, StoreWait wait)
    {
        string most = wait.MaxAttempts is { } number ? $" of {Units.Number(number)}" : string.Empty;
        string reason = wait.Reason is { } text ? $": {Printable.Line(OptionNames.Translate(text)).TrimEnd('.')}" : string.Empty;
        string time = wait.Silence.TotalSeconds < 10 ? $"{(int)wait.Silence.TotalSeconds} s" : Units.Duration(wait.Silence);
        return $"waiting for {store} for {time}, attempt {Units.Number(wait.Attempt)}{most}{reason}";
    }

    private void Look()
    {
        lock (_gate)
        {
            foreach (Watched client in _isDisposed ? [] : _clients)
            {
                if (client.Find() is not { } wait || (wait.Silence < First && wait.Attempt == 1))
                {
                    client.Next = First;
                }
                else if (wait.Silence >= client.Next)
                {
                    client.Next = 2 * wait.Silence;
                    _invocation.View.Aside(() => _invocation.Console.Message(Format(client.Store, wait)));
                }
            }
        }
    }

    private sealed record Watched(string Store, Func<StoreWait?> Find)
    {
        public TimeSpan Next { get; set; } = First;
    }
}
