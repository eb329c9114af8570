using System.Buffers;
using System.IO.Pipelines;

namespace Transfer.S3.Upload;

/// <summary>A pipe that is read to its end, one part after the other. It isn't completed.</summary>
/// <param name="pipe">The pipe.</param>
/// <param name="length">The number of bytes that follow, if the caller knows it.</param>
internal sealed class PipeSource(PipeReader pipe, long? length) : IUploadSource
{
    public long? Length => length;

    public PartMemory PartMemory => PartMemory.AsItGrows;

    public async ValueTask ReadPartAsync(long offset, long count, PartBody body, CancellationToken cancellationToken)
    {
        while (body.Length < count)
        {
            ReadResult result = await pipe.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> rest = result.Buffer;
            try
            {
                CheckIsNotCanceled(result);
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
                SourceLength.CheckNotShort(length, offset + body.Length);
                return;
            }
        }
    }

    public async ValueTask CheckEndAsync(CancellationToken cancellationToken)
    {
        if (length is not { } expected)
        {
            return;
        }

        ReadResult result = await pipe.ReadAsync(cancellationToken).ConfigureAwait(false);
        bool isEnd = result.Buffer.IsEmpty;
        pipe.AdvanceTo(result.Buffer.Start);
        CheckIsNotCanceled(result);
        if (!isEnd)
        {
            throw SourceLength.TooLong(expected);
        }
    }

    private static void CheckIsNotCanceled(ReadResult result)
    {
        if (result.IsCanceled)
        {
            throw new TransferException("The read from the source pipe was canceled by its owner.");
        }
    }
}
