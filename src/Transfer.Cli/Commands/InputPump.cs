using System.Buffers;
using System.IO.Pipelines;

namespace Transfer.Cli.Commands;

/// <summary>Reads standard input on a thread of its own into a pipe.</summary>
/// <remarks>
/// A read of a pipe or a terminal can't be cancelled. Here it holds nobody: the transfer waits for the pipe, which can, and a thread
/// in the background does not keep the process alive.
/// </remarks>
internal static class InputPump
{
    private const int ReadBytes = 256 * 1024;
    private const int SegmentBytes = 64 * 1024;

    // Enough that reading goes on while a part is handed over.
    private const long PauseBytes = 4 * 1024 * 1024;

    /// <param name="input">What is read.</param>
    /// <param name="memory">Where the pipe's memory comes from; null for .NET's own pool.</param>
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

                // Copied: room that a small read leaves over would be lost for as long as the content waits.
                writer.Write(buffer.AsSpan(0, count));
                ValueTask<FlushResult> flush = writer.FlushAsync();
#pragma warning disable VSTHRD002 // the thread is the pump's own
                FlushResult flushed = flush.IsCompleted ? flush.Result : flush.AsTask().GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
                if (flushed.IsCompleted)
                {
                    break;
                }
            }
        }
#pragma warning disable CA1031 // it reaches the reader of the pipe
        catch (Exception e)
#pragma warning restore CA1031
        {
            failure = e;
        }

        writer.Complete(failure);
    }
}
