using System.IO.Pipelines;
using System.Runtime.Versioning;
using Transfer.S3.Files;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Files;

/// <summary>Data that a dedicated thread reads in order.</summary>
[SupportedOSPlatform("linux")]
public sealed class SequentialReaderTests : IDisposable
{
    private const FileShare Share = FileShare.ReadWrite | FileShare.Delete;
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [LinuxFact]
    public async Task Start_NothingIsConsumed_HoldsAtMostItsLimit()
    {
        string path = await Fifo.CreateAsync(_folder.File("pipe"));
        CountingMemoryPool memory = new();
        await using (SequentialReader reader = SequentialReader.Start(SourceFile.Open(path, Share), path, waits: true, memory))
        {
            await using FileStream writer = await Fifo.OpenWriterAsync(path).Within();
            Task<int> writing = WriteUntilFullAsync(writer);
            await Deadline.Until(() => memory.RentedBytes >= 1 << 20);

            // Each small write is read separately, but must not hold a segment of its own.
            Assert.InRange(memory.RentedBytes, 1 << 20, (1 << 20) + (5 << 16));
            await reader.DisposeAsync().Within();
            await Assert.ThrowsAsync<IOException>(() => writing.Within());
        }

        Assert.Equal(0, memory.RentedBytes);

        static async Task<int> WriteUntilFullAsync(FileStream writer)
        {
            byte[] piece = new byte[100];
            for (int i = 0; ; i++)
            {
                await writer.WriteAsync(piece);
            }
        }
    }

    [LinuxFact]
    public async Task Start_WaitingNotAllowed_FailsIfThereIsNothingToRead()
    {
        string path = await Fifo.CreateAsync(_folder.File("pipe"));
        SourceFile file = SourceFile.Open(path, Share);
        await using FileStream writer = await Fifo.OpenWriterAsync(path).Within();
        await writer.WriteAsync(new byte[10]).Within();
        await using SequentialReader reader = SequentialReader.Start(file, path, waits: false);

        IOException error = await Assert.ThrowsAsync<IOException>(async () =>
        {
            while (true)
            {
                ReadResult read = await reader.Reader.ReadAsync().Within();
                reader.Reader.AdvanceTo(read.Buffer.End);
            }
        });
        Assert.Contains("has no end", error.Message, StringComparison.Ordinal);
    }

    [LinuxFact]
    public async Task DisposeAsync_Again_DoesNothing()
    {
        string path = await Fifo.CreateAsync(_folder.File("pipe"));
        SequentialReader reader = SequentialReader.Start(SourceFile.Open(path, Share), path, waits: true);

        await reader.DisposeAsync().Within();
        await reader.DisposeAsync().Within();
    }
}
