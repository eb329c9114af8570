using Microsoft.Win32.SafeHandles;

namespace Transfer.Cli.Commands;

/// <summary>Generates data in a file, and compares bytes with it.</summary>
internal sealed class DemoData(string path) : IDisposable
{
    private const int BufferBytes = 1 << 20;
    private const int ReportEvery = 32;
    private readonly SafeFileHandle _file = File.OpenHandle(path);
    private readonly byte[] _buffer = new byte[BufferBytes];
    private long _offset;

    public static async Task WriteAsync(string path, long size, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        using SafeFileHandle file = File.OpenHandle(path, FileMode.CreateNew, FileAccess.Write, FileShare.None, FileOptions.None, size);
        byte[] buffer = new byte[BufferBytes];
#pragma warning disable CA5394 // data to transfer, not a secret
        Random random = new();
        for (long offset = 0; offset < size; offset += buffer.Length)
        {
            Memory<byte> block = buffer.AsMemory(0, (int)Math.Min(buffer.Length, size - offset));
            random.NextBytes(block.Span);
            await RandomAccess.WriteAsync(file, block, offset, cancellationToken).ConfigureAwait(false);
            Report(progress, offset, size);
        }
#pragma warning restore CA5394
    }

    public static void CompareFiles(string path, string otherPath, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        using DemoData data = new(path);
        using SafeFileHandle other = File.OpenHandle(otherPath);
        long size = RandomAccess.GetLength(other);
        byte[] buffer = new byte[BufferBytes];
        int count;
        for (long offset = 0; (count = RandomAccess.Read(other, buffer, offset)) > 0; offset += count)
        {
            cancellationToken.ThrowIfCancellationRequested();
            data.Compare(buffer.AsSpan(0, count));
            Report(progress, offset, size);
        }

        data.CompareEnd();
    }

    /// <summary>Checks that the next bytes of the file equal the specified bytes.</summary>
    public void Compare(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            Span<byte> expected = _buffer.AsSpan(0, Math.Min(_buffer.Length, bytes.Length));
            expected = expected[..RandomAccess.Read(_file, expected, _offset)];
            if (expected.IsEmpty || !bytes[..expected.Length].SequenceEqual(expected))
            {
                throw new ChecksumMismatchException($"the content at offset {_offset} differs from what was uploaded");
            }

            _offset += expected.Length;
            bytes = bytes[expected.Length..];
        }
    }

    /// <summary>Checks that the file contains no more bytes.</summary>
    public void CompareEnd()
    {
        long length = RandomAccess.GetLength(_file);
        if (_offset != length)
        {
            throw new ChecksumMismatchException($"{length} bytes were uploaded, and {_offset} were downloaded");
        }
    }

    public void Dispose() => _file.Dispose();

    private static void Report(IProgress<TransferProgress> progress, long offset, long size)
    {
        if (offset / BufferBytes % ReportEvery == 0)
        {
            progress.Report(new TransferProgress(offset, size, double.NaN, 0, null));
        }
    }
}
