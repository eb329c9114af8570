using Microsoft.Win32.SafeHandles;

namespace Transfer.Cli.Bench.Operations;

/// <summary>What is written to the store: random bytes, so that nothing on the way makes less of them. Large objects come from a file, as an application's would.</summary>
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

    /// <summary>What the keys of objects that a run writes begin with.</summary>
    public string Prefix { get; }

    /// <summary>A file of one object's bytes; empty where they are in memory.</summary>
    public string Path { get; }

    /// <summary>One object's bytes; empty where they are in a file.</summary>
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
