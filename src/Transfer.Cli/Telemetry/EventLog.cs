using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Threading.Channels;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Telemetry;

/// <summary>
/// Writes events as JSON lines. Whoever adds an event never waits: a task of its own writes, and events that it can't keep up with are dropped and counted.
/// </summary>
internal sealed class EventLog
{
    private const int DefaultCapacity = 16 * 1024;
    private const int BatchBytes = 64 * 1024;

    /// <summary>The time that the end of a command leaves for what isn't written yet.</summary>
    internal static readonly TimeSpan EndTimeout = TimeSpan.FromSeconds(5);

    private readonly Func<ReadOnlyMemory<byte>, Task> _writeAsync;
    private readonly string _name;
    private readonly TimeProvider _time;
    private readonly Action<string> _warn;
    private readonly Channel<EventJson> _channel;
    private readonly Task _pump;
    private long _dropped;
    private long _reported;
    private volatile bool _closed;

    /// <param name="writeAsync">Writes whole lines, and makes them visible to readers.</param>
    /// <param name="name">The name of the target in messages.</param>
    /// <param name="time">The clock.</param>
    /// <param name="warn">Tells the user that events are missing.</param>
    /// <param name="capacity">The number of events that can wait to be written.</param>
    public EventLog(Func<ReadOnlyMemory<byte>, Task> writeAsync, string name, TimeProvider time, Action<string> warn, int capacity = DefaultCapacity)
    {
        _writeAsync = writeAsync;
        _name = name;
        _time = time;
        _warn = warn;
        _channel = Channel.CreateBounded<EventJson>(new BoundedChannelOptions(capacity) { SingleReader = true });
        _pump = Task.Run(PumpAsync);
    }

    /// <summary>Gets the current time for an event.</summary>
    public DateTime Now => _time.GetUtcNow().UtcDateTime;

    /// <summary>Gets the clock.</summary>
    public TimeProvider Time => _time;

    /// <summary>Adds an event. Never waits.</summary>
    public void Add(EventJson item)
    {
        // An event that comes after the last one isn't dropped because the target is slow. The order of the checks matters: the log is closed before its channel.
        if (!_channel.Writer.TryWrite(item) && !_closed)
        {
            Interlocked.Increment(ref _dropped);
        }
    }

    /// <summary>Adds the last event, and waits for a limited time until everything is written.</summary>
    public async Task EndAsync(string command, int exitCode)
    {
        try
        {
            await AddLastAsync(command, exitCode).WaitAsync(EndTimeout, _time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            _warn($"the last events were not written to {_name} within {EndTimeout.TotalSeconds:0} s");
        }

        if (Interlocked.Read(ref _dropped) is > 0 and long dropped)
        {
            _warn($"{Units.Count(dropped, "event was", "events were")} not written to {_name}, which was too slow");
        }
    }

    private async Task AddLastAsync(string command, int exitCode)
    {
        if (!_closed)
        {
            EventJson last = new() { Time = Now, Event = EventNames.CommandCompleted, Command = command, ExitCode = exitCode, Dropped = Interlocked.Read(ref _dropped) };
            try
            {
                await _channel.Writer.WriteAsync(last).ConfigureAwait(false);
            }
            catch (ChannelClosedException)
            {
                // The file can't be written any longer. The warning says so.
            }
        }

        Close();
        await _pump.ConfigureAwait(false);
    }

    private void Close()
    {
        _closed = true;
        _channel.Writer.TryComplete();
    }

    private async Task PumpAsync()
    {
        ArrayBufferWriter<byte> batch = new();
        try
        {
            while (await _channel.Reader.WaitToReadAsync().ConfigureAwait(false))
            {
                AppendDropped(batch);
                while (batch.WrittenCount < BatchBytes && _channel.Reader.TryRead(out EventJson? item))
                {
                    Append(batch, item);
                }

                await _writeAsync(batch.WrittenMemory).ConfigureAwait(false);
                batch.ResetWrittenCount();
            }
        }
#pragma warning disable CA1031 // events must not fail a command
        catch (Exception e)
#pragma warning restore CA1031
        {
            Close();
            _warn($"events can no longer be written to {_name}: {Printable.Line(FileError.GetReason(e))}; the command continues without them");
        }
    }

    private void AppendDropped(ArrayBufferWriter<byte> batch)
    {
        long dropped = Interlocked.Read(ref _dropped);
        if (dropped > _reported)
        {
            Append(batch, new EventJson { Time = Now, Event = EventNames.EventsDropped, Dropped = dropped - _reported });
            _reported = dropped;
        }
    }

    // Bidirectional control characters are escaped, too, as in results.
    private static void Append(ArrayBufferWriter<byte> batch, EventJson item)
        => Encoding.UTF8.GetBytes(Printable.Text(JsonSerializer.Serialize(item, EventJsonContext.Instance.EventJson)) + "\n", batch);
}
