using System.Diagnostics;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>Creates named pipes and writes to them.</summary>
internal static class Fifo
{
    public static async Task<string> CreateAsync(string path)
    {
        using Process mkfifo = Process.Start("mkfifo", [path]);
        await mkfifo.WaitForExitAsync().Within();
        return path;
    }

    /// <summary>Opens the pipe for writing, which waits for a reader, on a dedicated thread.</summary>
    public static Task<FileStream> OpenWriterAsync(string path) => Task.Factory.StartNew(
        () => new FileStream(path, new FileStreamOptions { Mode = FileMode.Open, Access = FileAccess.Write, Share = FileShare.ReadWrite, BufferSize = 0 }),
        CancellationToken.None,
        TaskCreationOptions.LongRunning,
        TaskScheduler.Default);

    /// <summary>Opens the pipe for writing, writes, and closes it.</summary>
    public static async Task WriteAsync(string path, byte[] content)
    {
        await using FileStream writer = await OpenWriterAsync(path);
        await writer.WriteAsync(content);
    }
}
