using System.Globalization;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Extensions.Logging;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.Cli.Telemetry;

namespace Transfer.S3.Cli.Execution;

/// <summary>One run of a command: its options, its output, and its result.</summary>
internal sealed class Invocation(OptionValues values, OutputSettings output, ToolConsole console, TimeProvider time) : IDisposable
{
    private ConnectionSettings? _store;
    private ConnectionSettings? _target;
    private WaitNotice? _waits;

    public OptionValues Values { get; } = values;

    public OutputSettings Output { get; } = output;

    public ToolConsole Console { get; } = console;

    public TimeProvider Time { get; } = time;

    public Tally Tally { get; } = new(time);

    /// <summary>Gets what the command has sent, and what it would send.</summary>
    public UsageReport Usage { get; } = new();

    /// <summary>Gets or sets a value that indicates whether standard output is the target of the transfer, so that the result must go to standard error.</summary>
    public bool IsOutputTaken { get; set; }

    /// <summary>Gets or sets a value that indicates whether the command writes entries to standard output, so that the result of --json goes to standard error.</summary>
    public bool WritesEntries { get; set; }

    /// <summary>Gets or sets the exit code of a command that ends without an error: some of many objects may have failed.</summary>
    public int ExitCode { get; set; } = Cli.ExitCode.Done;

    /// <summary>Gets or sets what writes the object of --json; null for the result of all commands.</summary>
    public Action<TextWriter>? ResultWriter { get; set; }

    /// <summary>Gets the name of the store in messages; null until it is known.</summary>
    public string? StoreName => _store?.StoreName;

    /// <summary>Gets or sets what observes the command while it runs.</summary>
    public CommandTelemetry Telemetry { get; set; } = CommandTelemetry.None;

    /// <summary>Gets the name of the store that an error is about.</summary>
    public string? GetStoreName(Exception e) => GetStore(e)?.StoreName;

    /// <summary>Gets where the credentials come from that an error is about.</summary>
    public string? GetCredentialsName(Exception e) => GetStore(e)?.CredentialsName;

    private ConnectionSettings? GetStore(Exception e) => e is TransferException { CopySide: CopySide.Target } ? _target ?? _store : _store;

    /// <summary>Sets both stores of a copy from one store to another.</summary>
    public void Use(ConnectionSettings source, ConnectionSettings target)
    {
        Use(target);
        _target = target;
        Use(source);
    }

    /// <summary>Sets the store, and warns about an unsafe connection before anything is sent.</summary>
    public void Use(ConnectionSettings store)
    {
        _store = store;
        if (store.IsInsecure)
        {
            Console.Message($"WARNING: --insecure: the certificate of {store.StoreName} is NOT verified; anyone on the network path can read and change everything");
        }

        if (store.IsInTheClear && !Output.Quiet)
        {
            Console.Message($"warning: {store.StoreName} uses plain HTTP; anyone on the network path can read and change what is sent");
        }

        Log(LogLevel.Information, $"the store is {store.Description}");
    }

    /// <summary>Gets what is told of the plan of the command; null for nothing.</summary>
    public Action<IReadOnlyList<object?>>? Planned { get; init; }

    /// <summary>
    /// Ends the planning of a command, after it has read its options and before it sends anything: refuses options that are given and were not read.
    /// </summary>
    /// <param name="purpose">What the command does, in messages.</param>
    /// <param name="plan">What the command was told to do, as the options of the library and other settings.</param>
    /// <exception cref="UsageException">Thrown when an option is given and has no meaning for what the command does.</exception>
    public void EndPlanning(string purpose, params IReadOnlyList<object?> plan)
    {
        Values.RefuseUnread(purpose);
        Planned?.Invoke([Output, Telemetry, .. plan]);
    }

    // What standard output and standard error are redirected to, as far as these are files.
    private readonly List<string> _ownFiles = OperatingSystem.IsLinux() ? ["/proc/self/fd/1", "/proc/self/fd/2"] : [];

    /// <summary>Adds a file that the command writes itself, so that it isn't content of a directory.</summary>
    public void AddOwnFile(string path) => _ownFiles.Add(path);

    /// <summary>Gets the report of each object; null without --report.</summary>
    public ObjectReport? Report { get; private set; }

    /// <summary>Opens the file of --report, after planning and before anything is sent.</summary>
    /// <param name="isDryRun">Whether the command only shows what it would do.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="UsageException">The file can't be written, or there will be nothing to report.</exception>
    public async Task OpenReportAsync(bool isDryRun, CancellationToken cancellationToken)
    {
        if (Output.Report is not { } given)
        {
            return;
        }

        if (isDryRun)
        {
            // A report that the environment names is for all commands.
            if (given.Source.StartsWith('-'))
            {
                throw new UsageException($"{given.Source} lists what was done, and --dry-run does nothing; specify only one of them");
            }

            return;
        }

        FileStream file = await EventFile.OpenAsync(given, cancellationToken, OutputSettings.ReportAccepted).ConfigureAwait(false);
        AddOwnFile(file.Name);
        Report = new ObjectReport(file, $"'{Printable.Text(given.Text)}'", Values.Command, this);
    }

    /// <summary>Copies or deletes one object, and reports it if that fails. An interruption or a usage error says nothing about the object.</summary>
    /// <param name="line">What is known of the object.</param>
    /// <param name="runAsync">Copies or deletes the object.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task RunReportedAsync(ReportJson line, Func<Task> runAsync, CancellationToken cancellationToken)
    {
        try
        {
            await runAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (Report is not null && Failure.From(e, StoreName, cancellationToken).ExitCode is Cli.ExitCode.Failed or Cli.ExitCode.Mismatch)
        {
            Report?.AddFailure(line, e);
            throw;
        }
    }

    /// <summary>Ends the report. One that is incomplete is an error, because others rely on it.</summary>
    /// <param name="exitCode">The exit code of the command.</param>
    /// <returns>The exit code.</returns>
    public int EndReport(int exitCode)
    {
        Report?.End();
        if (Report?.Error is not { } error)
        {
            return exitCode;
        }

        Tally.AddError(new ErrorJson(null, error, null));
        return exitCode == Cli.ExitCode.Done ? Cli.ExitCode.Failed : exitCode;
    }

    /// <summary>Gets or sets the progress that is shown, so that warnings don't mix with it.</summary>
    public IMessageView View { get; set; } = NoProgress.Instance;

    /// <summary>Writes a warning to standard error, unless --quiet.</summary>
    public void Warning(string text)
    {
        if (!Output.Quiet)
        {
            View.Aside(() => Console.Message($"warning: {text}"));
        }
    }

    /// <summary>Writes to standard error what a copy has lost, also with --quiet, because nothing else shows it.</summary>
    public void Loss(string text) => View.Aside(() => Console.Message($"warning: {text}"));

    /// <summary>Writes a message of the log to standard error, with the time in UTC, if --verbose asks for its level.</summary>
    public void Log(LogLevel level, string text)
    {
        if (level >= Telemetry.LogLevel)
        {
            string name = level == LogLevel.Information ? "info" : "debug";
            string now = Time.GetUtcNow().ToString("HH:mm:ss.fff", CultureInfo.InvariantCulture);
            View.Aside(() => Console.LogMessage($"{name}: {now} {text}", isDimmed: level < LogLevel.Information));
        }
    }

    /// <summary>Says what a client waits for, when that takes long, unless --quiet.</summary>
    /// <param name="store">The name of its store.</param>
    /// <param name="find">Gets what it waits for; null for nothing.</param>
    public void Watch(string store, Func<StoreWait?> find)
    {
        if (!Output.Quiet)
        {
            (_waits ??= new WaitNotice(this)).Add(store, find);
        }
    }

    /// <summary>Ends what runs beside the command.</summary>
    public void Dispose() => _waits?.Dispose();

    /// <summary>Connects the options of a client with the log and the events of the command.</summary>
    /// <returns>The same options.</returns>
    public TransferClientOptions Observe(TransferClientOptions options)
    {
        options.LoggerFactory = new ToolLog(this);
        options.OwnFiles = [.. _ownFiles];
        if (Telemetry.LogLevel <= LogLevel.Debug)
        {
            options.Advanced.RequestObserver += timing => Log(LogLevel.Debug, RequestText.Format(timing));
        }

        Telemetry.Observe(options);
        return options;
    }

    /// <summary>Writes what limited the speed of a copy, after its summary.</summary>
    public void SummarizeBottleneck()
    {
        if ((Tally.Objects > 1 || Units.HasRate(Tally.Bytes)) && Tally.Times is { } times && BottleneckText.GetName(times.Bottleneck) is { } name)
        {
            Summary($"limited by: {name}");
        }
    }

    /// <summary>Writes a line of the result: as JSON, or as text for people.</summary>
    /// <param name="line">The line.</param>
    /// <param name="type">The type of the JSON.</param>
    /// <param name="format">Formats the line as text.</param>
    /// <param name="writer">What to write to; null for standard output.</param>
    public void WriteLine<T>(T line, JsonTypeInfo<T> type, Func<T, string> format, TextWriter? writer = null)
    {
        writer ??= Console.Output;
        if (Output.Json)
        {
            CommandRunner.WriteJson(writer, line, type);
        }
        else
        {
            writer.WriteLine(format(line));
        }
    }

    /// <summary>Writes a summary to standard error, unless --quiet.</summary>
    public void Summary(string text)
    {
        if (!Output.Quiet)
        {
            Console.Error.WriteLine(Printable.Text(text));
        }
    }
}
