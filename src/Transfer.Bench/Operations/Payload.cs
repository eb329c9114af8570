using Microsoft.Win32.SafeHandles;

namespace Transfer.S3.Bench.Operations;

/// <summary>The content to upload: random bytes, which can't be compressed. Large objects are uploaded from a file, as by an application.</summary>
internal sealed class Payload : IDisposable
{
    private const int BlockBytes = 1 << 20;
    private readonly DirectoryInfo? _folder;

    private Payload(string prefix, string path, ReadOnlyMemory<byte> content, DirectoryInfo? folder)
    {
        Prefix = prefix;
        Path = path;
        Content = content;
        _folder = folder;
    }

    /// <summary>Gets the prefix of the objects that a run uploads.</summary>
    public string Prefix { get; }

    /// <summary>Gets the file with the content of an object; empty if it is in memory.</summary>
    public string Path { get; }

    /// <summary>Gets the content of an object; empty if it is in a file.</summary>
    public ReadOnlyMemory<byte> Content { get; }

    public static Payload InMemory(string prefix, long size, Random random)
    {
        byte[] content = new byte[size];
        random.NextBytes(content);
        return new Payload(prefix, string.Empty, content, null);
    }

    public static async Task<Payload> InFileAsync(string prefix, long size, Random random, CancellationToken cancellationToken)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("transfer-bench-");
        try
        {
            string path = System.IO.Path.Combine(folder.FullName, "object");
            using SafeFileHandle file = File.OpenHandle(path, FileMode.CreateNew, FileAccess.Write, FileShare.None, FileOptions.None, size);
            byte[] block = new byte[BlockBytes];
            for (long offset = 0; offset < size; offset += block.Length)
            {
                random.NextBytes(block);
                await RandomAccess.WriteAsync(file, block.AsMemory(0, (int)Math.Min(block.Length, size - offset)), offset, cancellationToken).ConfigureAwait(false);
            }

            return new Payload(prefix, path, ReadOnlyMemory<byte>.Empty, folder);
        }
        catch
        {
            folder.Delete(recursive: true);
            throw;
        }
    }

    public void Dispose() => _folder?.Delete(recursive: true);
}
