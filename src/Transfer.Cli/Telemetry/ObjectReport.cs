using System.Buffers;
using System.Text;
using System.Text.Json;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Telemetry;

/// <summary>
/// Writes --report: a JSON line for each object whose copy or deletion has ended. Unlike an event, no line is dropped: if the file is slow, whoever adds a line waits.
/// </summary>
#pragma warning disable CA1001 // every command calls End, which disposes what it has
internal sealed class ObjectReport
#pragma warning restore CA1001
{
    /// <summary>The longest time that a line waits in memory. A killed process loses the lines of this time.</summary>
    internal static readonly TimeSpan FlushInterval = TimeSpan.FromSeconds(1);

    private const int BatchBytes = 64 * 1024;

    private readonly Lock _gate = new();
    private readonly ArrayBufferWriter<byte> _batch = new();
    private readonly Stream _file;
    private readonly string _name;
    private readonly string _command;
    private readonly Invocation _invocation;
    private readonly ITimer _timer;
    private bool _isClosed;

    /// <param name="file">The file. Each write makes whole lines visible to readers.</param>
    /// <param name="name">The name of the file in messages.</param>
    /// <param name="command">The name of the command.</param>
    /// <param name="invocation">The run of the command.</param>
    public ObjectReport(Stream file, string name, string command, Invocation invocation)
    {
        (_file, _name, _command, _invocation) = (file, name, command, invocation);
        _timer = invocation.Time.CreateTimer(_ => Flush(), null, FlushInterval, FlushInterval);
    }

    /// <summary>Gets why the report is incomplete; null if it isn't.</summary>
    public string? Error { get; private set; }

    /// <summary>Adds a line. The time and the command are added.</summary>
    public void Add(ReportJson line)
    {
        line = line with { Time = _invocation.Time.GetUtcNow().UtcDateTime, Command = _command };

        // Bidirectional control characters are escaped, too, as in results.
        string text = Printable.Text(JsonSerializer.Serialize(line, EventJsonContext.Instance.ReportJson)) + "\n";
        string? error = null;
        lock (_gate)
        {
            if (!_isClosed)
            {
                Encoding.UTF8.GetBytes(text, _batch);
                error = _batch.WrittenCount < BatchBytes ? null : Write();
            }
        }

        Tell(error);
    }

    /// <summary>Adds a line for an object that failed.</summary>
    public void AddFailure(ReportJson line, Exception error) => Add(WithError(line, error));

    /// <summary>Gets the line of an object that failed.</summary>
    public ReportJson WithError(ReportJson line, Exception error)
    {
        Failure failure = Failure.From(error, _invocation.GetStoreName(error), CancellationToken.None, _invocation.GetCredentialsName(error));
        return line with
        {
            Status = line.Status == ReportJson.Conflict ? line.Status : ReportJson.Failed,
            Error = failure.Message,
            RequestId = failure.RequestId,
            Checksum = error is ChecksumMismatchException mismatch ? ChecksumJson.From(mismatch) : line.Checksum,
        };
    }

    /// <summary>Writes what isn't written yet, and closes the file.</summary>
    public void End()
    {
        _timer.Dispose();
        Flush();
        lock (_gate)
        {
            Close();
        }
    }

    private void Flush()
    {
        string? error;
        lock (_gate)
        {
            error = _batch.WrittenCount > 0 ? Write() : null;
        }

        Tell(error);
    }

    /// <summary>Writes the lines that wait. The caller holds the lock.</summary>
    /// <returns>Why that failed; null if it didn't.</returns>
    private string? Write()
    {
        try
        {
            _file.Write(_batch.WrittenSpan);
            _file.Flush();
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentOutOfRangeException) // the last one if files may not become so large (EFBIG)
        {
            Error = $"the report is incomplete: {_name} can no longer be written: {Printable.Line(FileError.GetReason(e))}";
            Close();
            return Error;
        }
        finally
        {
            _batch.ResetWrittenCount();
        }
    }

    private void Close()
    {
        if (!_isClosed)
        {
            _isClosed = true;
            _file.Dispose();
        }
    }

    // Outside of the lock, because a slow terminal must not delay other threads.
    private void Tell(string? error)
    {
        if (error is not null)
        {
            _invocation.Loss($"{error}; the command continues without it");
        }
    }
}
