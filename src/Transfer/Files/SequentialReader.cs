using System.Buffers;
using System.IO.Pipelines;

namespace Transfer.Files;

/// <summary>Reads what can only be read in order, such as a named pipe or a device, on a thread of its own into a pipe.</summary>
/// <remarks>
/// .NET can't cancel its reads of pipes and devices. Here the transfer waits for a <see cref="PipeReader"/>, which it can cancel. On Linux the thread waits
/// for content and for the end of the transfer at once: it ends with the transfer and lets go of what it reads. On other systems it ends after the read
/// that it is in, and doesn't keep the process alive.
/// </remarks>
internal sealed class SequentialReader : IAsyncDisposable
{
    private const int ReadBytes = 256 * 1024;
    private const int SegmentBytes = 64 * 1024;
    private const long PauseBytes = 4 * ReadBytes; // so that reading goes on while a part is handed over

    private readonly SourceFile _file;
    private readonly string _path;
    private readonly bool _waits;
    private readonly Pipe _pipe;
    private readonly Microsoft.Win32.SafeHandles.SafeFileHandle? _stop;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _disposed;

    private SequentialReader(SourceFile file, string path, bool waits, MemoryPool<byte>? memory)
    {
        _file = file;
        _path = path;
        _waits = waits;
        _pipe = new Pipe(new PipeOptions(
            memory, minimumSegmentSize: SegmentBytes, pauseWriterThreshold: PauseBytes, resumeWriterThreshold: PauseBytes / 2, useSynchronizationContext: false));
        if (OperatingSystem.IsLinux())
        {
            _stop = Libc.OpenEvent();
            if (_stop.IsInvalid)
            {
                throw Libc.Failed($"'{path}' can't be read");
            }
        }
    }

    public PipeReader Reader => _pipe.Reader;

    /// <summary>Starts to read.</summary>
    /// <param name="file">The file to read. The reader closes it.</param>
    /// <param name="path">Its path, for messages.</param>
    /// <param name="waits">Whether to wait for content that is not there yet. Otherwise that is an error.</param>
    /// <param name="memory">Where the pipe's memory comes from; null for .NET's own pool.</param>
    public static SequentialReader Start(SourceFile file, string path, bool waits, MemoryPool<byte>? memory = null)
    {
        try
        {
            SequentialReader reader = new(file, path, waits, memory);
            new Thread(reader.Run) { IsBackground = true, Name = "sequential reader" }.Start();
            return reader;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Stops reading, and waits until a named pipe is closed: its writer notices, and the next reader gets everything.</summary>
    /// <returns>A task that does not wait for a device, whose driver decides when a read ends.</returns>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            return;
        }

        await _pipe.Reader.CompleteAsync().ConfigureAwait(false);
        if (OperatingSystem.IsLinux() && _stop is not null)
        {
            Libc.Set(_stop);
            Task closed = CloseAsync();
            if (_file.IsPipe)
            {
                await closed.ConfigureAwait(false);
            }
        }
    }

    private async Task CloseAsync()
    {
        await _ended.Task.ConfigureAwait(false);
        _stop?.Dispose(); // not before: the thread waits for it
    }

    private void Run()
    {
        Exception? failure = null;
        try
        {
            byte[] buffer = new byte[ReadBytes];
            bool isReady = !_waits; // a pipe that had no writer yet looks as if it were at its end
            while (true)
            {
                int count = Read(buffer, ref isReady);
                if (count == 0)
                {
                    break;
                }

                // Copied: room that a small read leaves over would be lost for as long as the content waits.
                _pipe.Writer.Write(buffer.AsSpan(0, count));
                ValueTask<FlushResult> flush = _pipe.Writer.FlushAsync();
#pragma warning disable VSTHRD002 // the thread is the reader's own
                FlushResult flushed = flush.IsCompleted ? flush.Result : flush.AsTask().GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
                if (flushed.IsCompleted)
                {
                    break;
                }
            }
        }
#pragma warning disable CA1031 // it reaches whoever reads the pipe
        catch (Exception e)
#pragma warning restore CA1031
        {
            failure = e;
        }

        _file.Dispose();
        _pipe.Writer.Complete(failure);
        _ended.SetResult();
    }

    private int Read(Span<byte> buffer, ref bool isReady)
    {
        if (!OperatingSystem.IsLinux())
        {
            return RandomAccess.Read(_file.Handle, buffer, 0); // what is no file has no offsets
        }

        while (true)
        {
            if (!isReady && !Libc.WaitToRead(_file.Handle, _stop!))
            {
                throw new OperationCanceledException("The upload has ended."); // and not the content
            }

            isReady = true;
            int count = Libc.ReadNext(_file.Handle, buffer);
            if (count >= 0)
            {
                return count;
            }

            if (Libc.LastError != Libc.TryAgain)
            {
                throw Libc.Failed($"'{_path}' can't be read");
            }

            isReady = _waits ? false : throw new IOException($"'{_path}' has no end: no more data is available now, but there can be more later.");
        }
    }
}
