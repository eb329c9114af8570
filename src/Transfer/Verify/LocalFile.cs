using Microsoft.Win32.SafeHandles;
using Transfer.Buffers;
using Transfer.Files;
using Transfer.Integrity;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Verify;

/// <summary>The file of a comparison. It must stay as it is for as long as that takes.</summary>
internal sealed class LocalFile : IDisposable
{
    private readonly string _path;
    private readonly ObjectAddress _address;
    private readonly SourceFile _file;
    private readonly SafeFileHandle _handle;
    private readonly DateTime _lastWrite;

    private LocalFile(string path, ObjectAddress address, SourceFile file)
    {
        _path = path;
        _address = address;
        _file = file;
        _handle = file.Handle;
        Length = file.GetLength();
        _lastWrite = File.GetLastWriteTimeUtc(_handle);
    }

    /// <summary>Its length in bytes when it was opened.</summary>
    public long Length { get; }

    /// <param name="path">Where it is.</param>
    /// <param name="root">The folder from which no link may lead there; null where links are followed.</param>
    /// <param name="address">What it is compared with.</param>
    /// <exception cref="TransferException">The path is not there, is no regular file, or can't be read.</exception>
    public static LocalFile Open(string path, string? root, ObjectAddress address)
    {
        if (Directory.Exists(path))
        {
            throw Failed(address, $"'{path}' is a directory. Specify the file to compare.");
        }

        SourceFile? file = null;
        try
        {
            // Elsewhere than on Linux, to open a pipe is to wait for its writer.
            file = !OperatingSystem.IsLinux() && LocalTarget.IsSpecial(path) ? null : SourceFile.TryOpenFile(path, root, FileShare.ReadWrite | FileShare.Delete);
            if (file is { IsFile: true })
            {
                return new LocalFile(path, address, file);
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

    /// <summary>The checksum of all of the file in base64; with parts, that of their checksums with <c>-N</c> behind it.</summary>
    public async Task<string> SumAsync(ClientContext context, ChecksumAlgorithm algorithm, IReadOnlyList<long>? partLengths, CancellationToken cancellationToken)
    {
        using ChunkLease lease = await context.Pool.LeaseAsync(MemoryUse.Transient, 1, revolving: false, cancellationToken).ConfigureAwait(false);
        using Chunk buffer = await lease.RentAsync(cancellationToken).ConfigureAwait(false);

        // On a thread of the pool: the caller's may have better things to do for the seconds that a large file takes.
        string sum = await Task.Run(() => Sum(algorithm, partLengths, buffer.Free.Span, cancellationToken), cancellationToken).ConfigureAwait(false);
        CheckUnchanged();
        return sum;
    }

    /// <summary>How many of these bytes, from the first, are those that the file has at the offset.</summary>
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

    /// <exception cref="TransferException">The file was written meanwhile: what was read of it says nothing.</exception>
    public void CheckUnchanged()
    {
        long length = RandomAccess.GetLength(_handle);
        if (length != Length || File.GetLastWriteTimeUtc(_handle) != _lastWrite)
        {
            throw Failed(_address, $"'{_path}' changed while it was being compared: it had {Length} bytes, and now has {length}.");
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
