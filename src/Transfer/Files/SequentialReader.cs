using System.Buffers;
using System.IO.Pipelines;

namespace Transfer.S3.Files;

/// <summary>Reads data that is available only in order, such as that of a named pipe or a device, on a separate thread into a pipe.</summary>
/// <remarks>
/// .NET can't cancel reads of pipes and devices. So the transfer waits for a <see cref="PipeReader"/> instead, which it can cancel. On Linux, the thread waits for
/// data and for the end of the transfer at the same time, so it ends with the transfer and closes the file. On other systems, it ends after its current read, and
/// doesn't keep the process alive.
/// </remarks>
internal sealed class SequentialReader : IAsyncDisposable
{
    private const int ReadBytes = 256 * 1024;
    private const int SegmentBytes = 64 * 1024;
    private const long PauseBytes = 4 * ReadBytes; // so that reading continues while a part is passed on

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
    /// <param name="path">The path of the file, for messages.</param>
    /// <param name="waits">Whether to wait for data that isn't available yet. Otherwise, that is an error.</param>
    /// <param name="memory">The pool of the pipe's memory; null for the default pool of .NET.</param>
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

    /// <summary>Stops reading, and waits until a named pipe is closed, so that its writer notices and the next reader gets all of the data.</summary>
    /// <returns>A task that doesn't wait for devices, because their drivers decide when a read ends.</returns>
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
        _stop?.Dispose(); // not earlier, because the thread waits for it
    }

    private void Run()
    {
        Exception? failure = null;
        try
        {
            byte[] buffer = new byte[ReadBytes];
            bool isReady = !_waits; // a pipe without a writer looks as if it were at its end
            while (true)
            {
                int count = Read(buffer, ref isReady);
                if (count == 0)
                {
                    break;
                }

                // The data is copied, because the unused rest of a buffer would be wasted until its data is consumed.
                _pipe.Writer.Write(buffer.AsSpan(0, count));
                ValueTask<FlushResult> flush = _pipe.Writer.FlushAsync();
#pragma warning disable VSTHRD002 // the thread belongs to the reader
                FlushResult flushed = flush.IsCompleted ? flush.Result : flush.AsTask().GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
                if (flushed.IsCompleted)
                {
                    break;
                }
            }
        }
#pragma warning disable CA1031 // the reader of the pipe receives it
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
            return RandomAccess.Read(_file.Handle, buffer, 0); // only files have offsets
        }

        while (true)
        {
            if (!isReady && !Libc.WaitToRead(_file.Handle, _stop!))
            {
                throw new OperationCanceledException("The upload has ended."); // and not the data
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
