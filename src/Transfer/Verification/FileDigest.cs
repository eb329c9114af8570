using Microsoft.Win32.SafeHandles;
using Transfer.S3.Buffers;
using Transfer.S3.Integrity;

namespace Transfer.S3.Verification;

/// <summary>
/// Passes the bytes of a file to a verifier in order while its ranges arrive in any order. The contiguous bytes from the beginning are read back from
/// the file cache of the operating system. Nothing is read if the checksum isn't computed in order.
/// </summary>
internal static class FileDigest
{
    /// <summary>Appends all bytes of a complete file.</summary>
    /// <returns>True, because the file has all of the content.</returns>
    public static async Task<bool> AppendAsync(ContentDigest digest, SafeFileHandle file, long length, ChunkPool pool, CancellationToken cancellationToken)
    {
        using ChunkLease lease = await pool.LeaseAsync(MemoryUse.Transient, 1, revolving: false, cancellationToken).ConfigureAwait(false);
        using Chunk buffer = await lease.RentAsync(cancellationToken).ConfigureAwait(false);
        for (long offset = 0; offset < length;)
        {
            cancellationToken.ThrowIfCancellationRequested();
            offset += Read(file, offset, length, buffer, length - offset, out ReadOnlySpan<byte> bytes);
            digest.Append(bytes);
        }

        return true;
    }

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

        // A digest keeps its thread busy, so it must not run on the stack of the caller that signaled.
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
            offset += Read(file, offset, length, buffer, there, out ReadOnlySpan<byte> bytes);
            verifier.Append(bytes);
        }
    }

    private static int Read(SafeFileHandle file, long offset, long length, Chunk buffer, long most, out ReadOnlySpan<byte> bytes)
    {
        Span<byte> room = buffer.Free.Span;
        int count = RandomAccess.Read(file, room[..(int)Math.Min(room.Length, most)], offset);
        bytes = room[..count];
        return count > 0 ? count : throw new IOException($"the file ends after {offset} of {length} bytes");
    }
}
