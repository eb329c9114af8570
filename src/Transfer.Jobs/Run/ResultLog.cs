using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Transfer.S3.Jobs;

/// <summary>
/// Writes the results of one attempt at a shard: lines with a CRC each. Lines are kept until a file with them was written, and each file is a new one, because
/// objects can't be appended to.
/// </summary>
internal sealed class ResultLog : IAsyncDisposable
{
    /// <summary>The longest time that a line waits. A killed process loses the results of this time, and its items find their targets done.</summary>
    public static readonly TimeSpan FlushInterval = TimeSpan.FromSeconds(5);

    private const int MaxWaitingBytes = 1024 * 1024;

    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _writing = new(1);
    private readonly JobFolder _folder;
    private readonly int _shard;
    private readonly string _plan;
    private readonly string _attempt;
    private readonly OpenUploads _uploads;
    private readonly CancellationTokenSource _stopping = new();
    private readonly ITimer _timer;
    private ArrayBufferWriter<byte> _lines = new();
    private Task _flushing = Task.CompletedTask;
    private int _segments;

    public ResultLog(JobFolder folder, int shard, string plan, OpenUploads uploads, TimeProvider time)
    {
        (_folder, _shard, _plan, _uploads) = (folder, shard, plan, uploads);
        _attempt = JobNames.Attempt(time.GetUtcNow());
        _timer = time.CreateTimer(_ => StartFlush(), null, FlushInterval, FlushInterval);
    }

    /// <summary>Adds a line.</summary>
    public void Add(JobLine line)
    {
        if (Append(line))
        {
            StartFlush();
        }
    }

    /// <summary>Writes all lines that wait.</summary>
    /// <exception cref="TransferException">Thrown when they can't be written. They are kept.</exception>
    public async Task FlushAsync(CancellationToken cancellationToken)
    {
        await _writing.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            foreach (JobLine open in _uploads.Take())
            {
                Append(open);
            }

            ArrayBufferWriter<byte> lines;
            lock (_gate)
            {
                (lines, _lines) = (_lines, new ArrayBufferWriter<byte>());
            }

            if (lines.WrittenCount == 0)
            {
                return;
            }

            try
            {
                await _folder.WriteAsync(JobNames.Segment(_shard, _plan, _attempt, _segments), lines.WrittenMemory, cancellationToken).ConfigureAwait(false);
                _segments++;
            }
            catch
            {
                // If it was written nevertheless, the next file with the same name replaces it and contains its lines.
                lock (_gate)
                {
                    lines.Write(_lines.WrittenSpan);
                    _lines = lines;
                }

                throw;
            }
        }
        finally
        {
            _writing.Release();
        }
    }

    /// <summary>Stops the timer. Lines that were not written are lost.</summary>
    public async ValueTask DisposeAsync()
    {
        await _timer.DisposeAsync().ConfigureAwait(false);
        await _stopping.CancelAsync().ConfigureAwait(false);
        Task last;
        lock (_gate)
        {
            last = _flushing;
        }

        await last.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _stopping.Dispose();
        _writing.Dispose();
    }

    /// <returns>True if many lines wait.</returns>
    private bool Append(JobLine line)
    {
        byte[] text = JsonSerializer.SerializeToUtf8Bytes(line, JobJson.Default.JobLine);
        lock (_gate)
        {
            Encoding.ASCII.GetBytes(Crc.Crc32C.Compute(text).ToString("x8", CultureInfo.InvariantCulture), _lines);
            _lines.Write(" "u8);
            _lines.Write(text);
            _lines.Write("\n"u8);
            return _lines.WrittenCount >= MaxWaitingBytes;
        }
    }

    /// <summary>Begins to write in the background, unless that is under way. An error leaves the lines for the next time, and the last flush reports it.</summary>
    private void StartFlush()
    {
        lock (_gate)
        {
            if (_flushing.IsCompleted && !_stopping.IsCancellationRequested)
            {
                _flushing = Task.Run(() => FlushAsync(_stopping.Token), CancellationToken.None);
            }
        }
    }
}
