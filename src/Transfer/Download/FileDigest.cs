using Microsoft.Win32.SafeHandles;
using Transfer.Buffers;

namespace Transfer.Download;

/// <summary>
/// Gives a verifier the bytes of a file in order while its ranges arrive in any: read again, from the system's cache, behind those that are there from the
/// beginning without a gap. Where the checksum is not made that way, nothing is read.
/// </summary>
internal static class FileDigest
{
    public static async Task RunAsync(ContentVerifier verifier, SafeFileHandle file, long length, ChunkPool pool, CancellationToken cancellationToken)
    {
        while (!verifier.IsSettled)
        {
            await verifier.WaitAsync(cancellationToken).ConfigureAwait(false);
        }

        if (!verifier.Way.IsInOrder)
        {
            return;
        }

        // Off the stack of who told it: a digest keeps its thread busy.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        using ChunkLease lease = await pool.LeaseAsync(MemoryUse.Transient, 1, revolving: false, cancellationToken).ConfigureAwait(false);
        using Chunk buffer = await lease.RentAsync(cancellationToken).ConfigureAwait(false);
        for (long offset = 0; offset < length;)
        {
            long there = verifier.Front - offset;
            if (there == 0)
            {
                await verifier.WaitAsync(cancellationToken).ConfigureAwait(false);
                continue;
            }

            cancellationToken.ThrowIfCancellationRequested();
            Memory<byte> bytes = buffer.Free[..(int)Math.Min(buffer.Free.Length, there)];
            int count = RandomAccess.Read(file, bytes.Span, offset);
            if (count == 0)
            {
                throw new IOException($"the file ends after {offset} of {length} bytes");
            }

            verifier.Append(bytes.Span[..count]);
            offset += count;
        }
    }
}
