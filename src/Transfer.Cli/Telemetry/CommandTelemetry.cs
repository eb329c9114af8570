using System.Net;
using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Tracing;

namespace Transfer.S3.Cli.Telemetry;

/// <summary>What observes a command while it runs: its log, its events, and its metrics. Nothing is loaded or started without an option for it.</summary>
#pragma warning disable CA1001 // every command calls EndAsync, which disposes what was started
internal sealed class CommandTelemetry(LogLevel logLevel)
#pragma warning restore CA1001
{
    private EventLog? _events;
    private FileStream? _file;
    private EventRecorder? _recorder;
    private MetricsServer? _metrics;
    private HarFile? _trace;
    private Invocation? _invocation;

    /// <summary>Gets the telemetry of a command without options for it.</summary>
    public static CommandTelemetry None { get; } = new(LogLevel.Warning);

    /// <summary>Gets the least level of log messages to show.</summary>
    public LogLevel LogLevel => logLevel;

    /// <summary>Gets a value that indicates whether events are recorded.</summary>
    public bool RecordsEvents => _recorder is not null;

    /// <summary>Gets the address of the metrics; null if they aren't served.</summary>
    public string? MetricsAddress => _metrics?.Address.ToString();

    /// <summary>Starts what the options ask for.</summary>
    /// <exception cref="UsageException">An address can't be listened on, or a file can't be written.</exception>
    public async Task StartAsync(Invocation invocation, TelemetryOptions options, string command, CancellationToken cancellationToken)
    {
        OptionValues values = invocation.Values;
        if (values.Accepts(options.MetricsAddress) && values.Find(options.MetricsAddress) is { } address)
        {
            await ListenAsync(invocation, address, cancellationToken).ConfigureAwait(false);
        }

        if (values.Accepts(options.Trace) && values.Find(options.Trace) is { } trace)
        {
            (_trace, _invocation) = (HarFile.Create(trace), invocation);
            invocation.AddOwnFile(trace.Text);
        }

        if (values.Accepts(options.Events) && values.Find(options.Events) is { } target)
        {
            await RecordAsync(invocation, target, command, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Gets a value that indicates whether requests are written to a trace.</summary>
    public bool Traces => _trace is not null;

    /// <summary>Adds the transfers and requests of a client with these options to the events, and to the trace.</summary>
    public void Observe(TransferClientOptions options)
    {
        _recorder?.Observe(options);
        if (_trace is { } trace && _invocation is { } invocation)
        {
            options.Advanced.WrapHandler = handler => new TraceHandler(trace, invocation.Time, handler);
        }
    }

    /// <summary>Ends what was started. An error doesn't change how the command ended.</summary>
    public async Task EndAsync(string command, int exitCode)
    {
        _recorder?.Dispose();
        if (_events is not null)
        {
            await _events.EndAsync(command, exitCode).ConfigureAwait(false);
        }

        _trace?.Dispose();
        if (_trace?.Error is { } error)
        {
            _invocation?.Warning($"the trace is incomplete: {Printable.Text(error.Message)}");
        }

        if (_file is not null)
        {
            await _file.DisposeAsync().ConfigureAwait(false);
        }

        if (_metrics is not null)
        {
            await _metrics.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task ListenAsync(Invocation invocation, GivenValue given, CancellationToken cancellationToken)
    {
        IPEndPoint address = OptionValues.Convert<IPEndPoint>(given, MetricsAddressText.TryParse, MetricsAddressText.Accepted);
        _metrics = await MetricsServer.StartAsync(given, address, cancellationToken).ConfigureAwait(false);
        invocation.Summary($"metrics: {_metrics.Address}");
    }

    private async Task RecordAsync(Invocation invocation, GivenValue given, string command, CancellationToken cancellationToken)
    {
        Func<ReadOnlyMemory<byte>, Task> writeAsync;
        string name = "standard error";
        if (given.Text == TelemetryOptions.StandardError)
        {
            writeAsync = lines =>
            {
                invocation.Console.Error.Write(Encoding.UTF8.GetString(lines.Span));
                return Task.CompletedTask;
            };
        }
        else
        {
            FileStream file = _file = await EventFile.OpenAsync(given, cancellationToken).ConfigureAwait(false);
            invocation.AddOwnFile(file.Name);
            writeAsync = lines => file.WriteAsync(lines, CancellationToken.None).AsTask();
            name = $"'{Printable.Text(given.Text)}'";
        }

        _events = new EventLog(writeAsync, name, invocation.Time, invocation.Warning);
        _recorder = new EventRecorder(_events, e => Failure.From(e, invocation.StoreName, CancellationToken.None).Message);
        _events.Add(new EventJson { Time = _events.Now, Event = EventNames.CommandStarted, Command = command, Version = Tool.Version });
    }
}
