using System.Buffers;
using System.IO.Pipelines;
using Transfer.S3.Buffers;
using Transfer.S3.Requests;

namespace Transfer.S3.Verify;

/// <summary>Compares the content of a file with that of an object, which is read in order up to the first difference.</summary>
internal static class ContentComparison
{
    /// <returns>The number of equal bytes from the beginning: the whole length, or the offset of the first byte that differs.</returns>
    public static async Task<long> RunAsync(TransferRun run, VerifyRequest request, ObjectInfo info, ComparedFile file, CancellationToken cancellationToken)
    {
        ObjectReadStream stream = await ObjectContent.OpenAsync(run, request.Address, info, isPatient: true, cancellationToken).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            // The chunk is rented after the stream has its memory, so that a comparison with a chunk waits only for its own stream.
            using ChunkLease lease = await run.Client.Pool.LeaseAsync(MemoryUse.Transient, 1, revolving: false, cancellationToken).ConfigureAwait(false);
            using Chunk buffer = await lease.RentAsync(cancellationToken).ConfigureAwait(false);
            long same = await CompareAsync(stream.Reader, file, buffer, cancellationToken).ConfigureAwait(false);
            file.CheckUnchanged();
            return same;
        }
    }

    private static async Task<long> CompareAsync(PipeReader reader, ComparedFile file, Chunk buffer, CancellationToken cancellationToken)
    {
        long offset = 0;
        while (true)
        {
            ReadResult result = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> bytes = result.Buffer;
            foreach (ReadOnlyMemory<byte> memory in bytes)
            {
                int same = file.CountSame(memory.Span, offset, buffer.Free.Span);
                offset += same;
                if (same < memory.Length)
                {
                    return offset;
                }
            }

            reader.AdvanceTo(bytes.End);
            if (result.IsCompleted)
            {
                return offset;
            }
        }
    }
}
