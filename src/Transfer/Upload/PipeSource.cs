using System.Buffers;
using System.IO.Pipelines;

namespace Transfer.Upload;

/// <summary>A pipe that is read to its end, one part after the other. It isn't completed.</summary>
internal sealed class PipeSource(PipeReader pipe) : IUploadSource
{
    public long? Length => null;

    public PartMemory PartMemory => PartMemory.AsItGrows;

    public async ValueTask ReadPartAsync(long offset, long count, PartBody body, CancellationToken cancellationToken)
    {
        while (body.Length < count)
        {
            ReadResult result = await pipe.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> rest = result.Buffer;
            try
            {
                if (result.IsCanceled)
                {
                    throw new TransferException("The read from the source pipe was canceled by its owner.");
                }

                while (!rest.IsEmpty && body.Length < count)
                {
                    Memory<byte> memory = await body.GetMemoryAsync(cancellationToken).ConfigureAwait(false);
                    int step = (int)Math.Min(Math.Min(memory.Length, rest.Length), count - body.Length);
                    rest.Slice(0, step).CopyTo(memory.Span);
                    body.Advance(memory, step);
                    rest = rest.Slice(step);
                }
            }
            finally
            {
                pipe.AdvanceTo(rest.Start, rest.IsEmpty ? rest.End : rest.Start);
            }

            if (result.IsCompleted && rest.IsEmpty)
            {
                return;
            }
        }
    }

    public ValueTask CheckEndAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;
}
