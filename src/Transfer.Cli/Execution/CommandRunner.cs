using System.Buffers;
using System.CommandLine;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.Cli.Telemetry;

namespace Transfer.S3.Cli.Execution;

/// <summary>Runs a command, and turns the way it ends into a message, a result, and an exit code.</summary>
/// <param name="console">The console.</param>
/// <param name="environment">The environment variables.</param>
/// <param name="time">The time.</param>
/// <param name="planned">Called with the plan of a command before anything is sent; null for nothing.</param>
internal sealed class CommandRunner(ToolConsole console, ToolEnvironment environment, TimeProvider time, Action<IReadOnlyList<object?>>? planned = null)
{
    public ToolConsole Console { get; } = console;

    /// <summary>Gets what to say about the command line before the command begins.</summary>
    public ICollection<string> Notes { get; } = new List<string>();

    public async Task<int> RunAsync(
        ParseResult line, OutputOptions outputOptions, Func<ParseResult, Invocation, CancellationToken, Task> command, CancellationToken cancellationToken)
    {
        OptionValues values = new(line, environment);
        Invocation? invocation = null;
        string operation = line.CommandResult.Command.Name;
        int code;
        try
        {
            OutputSettings output = OutputSettings.Resolve(values, outputOptions);
            invocation = new Invocation(values, output, Console, time) { Planned = planned, Tally = { Operation = operation } };
            invocation.WritesEntries = outputOptions.WritesEntries(values);
            CommandLineErrors.Check(line);
            foreach (string note in output.Quiet ? [] : Notes)
            {
                Console.Message($"note: {note}");
            }

            foreach (string problem in output.Quiet ? [] : environment.FindMisspelled(line.CommandResult.Command))
            {
                Console.Message($"warning: {problem}");
            }

            invocation.Telemetry = new CommandTelemetry(outputOptions.Telemetry.GetLogLevel(values));
            await invocation.Telemetry.StartAsync(invocation, outputOptions.Telemetry, operation, cancellationToken).ConfigureAwait(false);
            try
            {
                await command(line, invocation, cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                invocation.Dispose();
            }

            Console.Flush();
            code = invocation.ExitCode;
        }
#pragma warning disable CA1031 // no caller could report the exception
        catch (Exception e)
#pragma warning restore CA1031
        {
            code = Fail(e, invocation, line, values.IsOnLine(outputOptions.Telemetry.Debug) || environment.IsOn(ToolEnvironment.Debug), cancellationToken);
        }

        code = invocation?.EndReport(code) ?? code;
        if (invocation?.Output.Json == true)
        {
            code = WriteResult(invocation, code);
        }

        if (invocation is not null)
        {
            await invocation.Telemetry.EndAsync(operation, code).ConfigureAwait(false);
        }

        return code;
    }

    /// <summary>
    /// Writes a JSON object on one line. With relaxed escaping, a "+" in base64 stays readable; control characters, also bidirectional ones, are still escaped.
    /// </summary>
    public static void WriteJson<T>(TextWriter writer, T value, JsonTypeInfo<T> type)
    {
        ArrayBufferWriter<byte> text = new();
        using (Utf8JsonWriter json = new(text, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            if (type.SerializeHandler is { } write)
            {
                write(json, value); // JsonSerializer doesn't use it with another encoder
            }
            else
            {
                JsonSerializer.Serialize(json, value, type); // the context has no generated writers
            }
        }

        writer.WriteLine(Printable.Text(Encoding.UTF8.GetString(text.WrittenSpan)));
    }

    private int Fail(Exception e, Invocation? invocation, ParseResult line, bool isDebug, CancellationToken cancellationToken)
    {
        if (StandardStreams.IsOutputClosed(e))
        {
            // The reader closed standard output because it has read enough. There is nothing to report.
            invocation?.Tally.AddError(new ErrorJson(null, "standard output was closed before the end", null));
            CountFailure(invocation);
            return ExitCode.Failed;
        }

        FlushOutput();
        Failure failure = Failure.From(e, invocation?.GetStoreName(e), cancellationToken, invocation?.GetCredentialsName(e));
        Console.Message(failure.Message);
        if (invocation is { Tally.KeptBytes: > 0 and var kept })
        {
            Console.Message($"{ByteSize.Format(kept)} are kept; run the same command again to resume, or add --no-resume to start over");
        }

        if (failure.ExitCode == ExitCode.Usage && e is UsageException { InnerException: null })
        {
            Console.Error.WriteLine($"Try 'transfer {line.CommandResult.Command.Name} --help'.");
        }

        if (isDebug)
        {
            foreach (string text in e.ToString().Split('\n'))
            {
                Console.Error.WriteLine($"  {Printable.Text(text.TrimEnd('\r'))}"); // the text of the store must not look like lines of the tool
            }
        }

        if (invocation is not null)
        {
            invocation.Tally.AddError(new ErrorJson(failure.Key, failure.Message, failure.RequestId));
            if (e is ChecksumMismatchException mismatch)
            {
                invocation.Tally.Checksum = ChecksumJson.From(mismatch);
            }

            if (failure.ExitCode is not (ExitCode.Usage or ExitCode.LimitReached))
            {
                CountFailure(invocation);
            }
        }

        return failure.ExitCode == ExitCode.Failed && invocation?.ExitCode == ExitCode.Mismatch ? ExitCode.Mismatch : failure.ExitCode;
    }

    /// <summary>Writes what the command has written before it failed, such as the first pages of a listing.</summary>
    private void FlushOutput()
    {
        try
        {
            Console.Flush();
        }
        catch (IOException)
        {
            // Standard output is closed. The error is reported nevertheless.
        }
    }

    private static void CountFailure(Invocation? invocation)
    {
        if (invocation is not null && invocation.Tally.Failed == 0)
        {
            invocation.Tally.Failed = 1;
        }
    }

    /// <summary>Writes the result of --json. A result that is lost is a failure, because others rely on it.</summary>
    /// <returns>The exit code.</returns>
    private int WriteResult(Invocation invocation, int code)
    {
        // Nothing else is said about output that its reader has closed, or about a failure, which can have the same cause.
        return Console.TryWrite(Write, tells: code != ExitCode.Failed) || code != ExitCode.Done ? code : ExitCode.Failed;

        void Write()
        {
            TextWriter target = invocation.IsOutputTaken || invocation.WritesEntries ? Console.Error : Console.Output;
            invocation.Usage.AddTo(invocation.Tally);
            if (invocation.ResultWriter is { } write)
            {
                write(target);
            }
            else
            {
                WriteJson(target, invocation.Tally, ToolJsonContext.Default.Tally);
            }

            target.Flush();
        }
    }
}
