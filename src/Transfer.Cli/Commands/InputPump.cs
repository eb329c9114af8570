using System.Buffers;
using System.IO.Pipelines;

namespace Transfer.S3.Cli.Commands;

/// <summary>Reads standard input into a pipe on a background thread.</summary>
/// <remarks>
/// A read of a pipe or a terminal can't be canceled. With the pump, the transfer waits for the pipe instead, which can be canceled, and the
/// background thread doesn't keep the process alive.
/// </remarks>
internal static class InputPump
{
    private const int ReadBytes = 256 * 1024;
    private const int SegmentBytes = 64 * 1024;

    // Enough to continue reading while a part is being passed on.
    private const long PauseBytes = 4 * 1024 * 1024;

    /// <param name="input">The stream to read.</param>
    /// <param name="memory">The memory pool of the pipe; null for the shared pool.</param>
    public static PipeReader Start(Stream input, MemoryPool<byte>? memory = null)
    {
        Pipe pipe = new(new PipeOptions(memory, minimumSegmentSize: SegmentBytes, pauseWriterThreshold: PauseBytes, resumeWriterThreshold: PauseBytes / 2, useSynchronizationContext: false));
        Thread thread = new(() => Run(input, pipe.Writer)) { IsBackground = true, Name = "standard input" };
        thread.Start();
        return pipe.Reader;
    }

    private static void Run(Stream input, PipeWriter writer)
    {
        Exception? failure = null;
        try
        {
            byte[] buffer = new byte[ReadBytes];
            while (true)
            {
                int count = input.Read(buffer);
                if (count == 0)
                {
                    break;
                }

                // Copied, because a small read into the pipe's own memory would waste the rest of its segment.
                writer.Write(buffer.AsSpan(0, count));
                ValueTask<FlushResult> flush = writer.FlushAsync();
#pragma warning disable VSTHRD002 // the thread belongs to the pump
                FlushResult flushed = flush.IsCompleted ? flush.Result : flush.AsTask().GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
                if (flushed.IsCompleted)
                {
                    break;
                }
            }
        }
#pragma warning disable CA1031 // the exception is passed to the reader of the pipe
        catch (Exception e)
#pragma warning restore CA1031
        {
            failure = e;
        }

        writer.Complete(failure);
    }
}
