using Microsoft.Win32.SafeHandles;
using Transfer.S3.Buffers;
using Transfer.S3.Files;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Verify;

/// <summary>The file of a comparison. It must not change during the comparison.</summary>
internal sealed class ComparedFile : IDisposable
{
    private readonly string _path;
    private readonly ObjectAddress _address;
    private readonly SourceFile _file;
    private readonly SafeFileHandle _handle;
    private readonly FileIdentity _state;

    private ComparedFile(string path, ObjectAddress address, SourceFile file)
    {
        _path = path;
        _address = address;
        _file = file;
        _handle = file.Handle;
        _state = file.GetState();
    }

    /// <summary>Gets the length at the time when the file was opened, in bytes.</summary>
    public long Length => _state.Length;

    /// <param name="path">The path.</param>
    /// <param name="root">The directory below which no link is followed; null to follow links.</param>
    /// <param name="address">The object that the file is compared with.</param>
    /// <exception cref="TransferException">Thrown when the path doesn't exist, isn't a regular file, or can't be read.</exception>
    public static ComparedFile Open(string path, string? root, ObjectAddress address)
    {
        if (Directory.Exists(path))
        {
            throw Failed(address, $"'{path}' is a directory. Specify the file to compare.");
        }

        SourceFile? file = null;
        try
        {
            // On systems other than Linux, opening a pipe waits for its writer.
            file = !OperatingSystem.IsLinux() && LocalTarget.IsSpecial(path) ? null : SourceFile.TryOpenFile(path, root, FileShare.ReadWrite | FileShare.Delete);
            if (file is { IsFile: true })
            {
                return new ComparedFile(path, address, file);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            file?.Dispose();
            throw Failed(address, $"'{path}' could not be read: {e.Message}", e);
        }

        file?.Dispose();
        throw Failed(address, $"'{path}' is a device or a pipe. Only files can be compared.");
    }

    /// <summary>Computes the checksum of the file, in base64. With parts, it is a composite checksum.</summary>
    public async Task<string> SumAsync(ClientContext context, ChecksumAlgorithm algorithm, IReadOnlyList<long>? partLengths, CancellationToken cancellationToken)
    {
        using ChunkLease lease = await context.Pool.LeaseAsync(MemoryUse.Transient, 1, revolving: false, cancellationToken).ConfigureAwait(false);
        using Chunk buffer = await lease.RentAsync(cancellationToken).ConfigureAwait(false);

        // The checksum is computed on the thread pool, because a large file takes seconds.
        string sum = await Task.Run(() => Sum(algorithm, partLengths, buffer.Free.Span, cancellationToken), cancellationToken).ConfigureAwait(false);
        CheckUnchanged();
        return sum;
    }

    /// <summary>Returns how many of the expected bytes, from the first one, are equal to those of the file at an offset.</summary>
    public int CountSame(ReadOnlySpan<byte> expected, long offset, Span<byte> buffer)
    {
        int same = 0;
        while (same < expected.Length)
        {
            Span<byte> read = buffer[..Read(buffer[..Math.Min(buffer.Length, expected.Length - same)], offset + same)];
            int prefix = expected[same..].CommonPrefixLength(read);
            same += prefix;
            if (prefix < read.Length)
            {
                break;
            }
        }

        return same;
    }

    /// <exception cref="TransferException">Thrown when the file was changed during the comparison, so its result is not valid.</exception>
    public void CheckUnchanged()
    {
        FileIdentity now = _file.GetState();
        if (!now.IsSame(_state))
        {
            throw Failed(
                _address,
                $"'{_path}' changed while it was being compared: "
                + (now.Length == Length ? "its content or its attributes are not those anymore that it had at first." : $"it had {Length} bytes, and now has {now.Length}."));
        }
    }

    public void Dispose() => _file.Dispose();

    private string Sum(ChecksumAlgorithm algorithm, IReadOnlyList<long>? partLengths, Span<byte> buffer, CancellationToken cancellationToken)
    {
        using ContentDigest sum = new(algorithm, partLengths);
        while (sum.Length < Length)
        {
            cancellationToken.ThrowIfCancellationRequested();
            sum.Append(buffer[..Read(buffer[..(int)Math.Min(buffer.Length, Length - sum.Length)], sum.Length)]);
        }

        return sum.ToBase64()!;
    }

    private int Read(Span<byte> buffer, long offset)
    {
        try
        {
            int count = RandomAccess.Read(_handle, buffer, offset);
            return count > 0 ? count : throw Failed(_address, $"'{_path}' changed while it was being compared: it ended after {offset} of {Length} bytes.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw Failed(_address, $"'{_path}' could not be read: {e.Message}", e);
        }
    }

    private static TransferException Failed(ObjectAddress address, string message, Exception? e = null) => new(message, e) { Bucket = address.Bucket, Key = address.Key };
}
