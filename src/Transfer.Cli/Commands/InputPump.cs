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

    // Enough that reading goes on while a part is handed over.
    private const long PauseBytes = 4 * 1024 * 1024;

    public static PipeReader Start(Stream input)
    {
        Pipe pipe = new(new PipeOptions(minimumSegmentSize: ReadBytes, pauseWriterThreshold: PauseBytes, resumeWriterThreshold: PauseBytes / 2, useSynchronizationContext: false));
        Thread thread = new(() => Run(input, pipe.Writer)) { IsBackground = true, Name = "standard input" };
        thread.Start();
        return pipe.Reader;
    }

    private static void Run(Stream input, PipeWriter writer)
    {
        Exception? failure = null;
        try
        {
            while (true)
            {
                int count = input.Read(writer.GetMemory(ReadBytes).Span);
                if (count == 0)
                {
                    break;
                }

                writer.Advance(count);
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
