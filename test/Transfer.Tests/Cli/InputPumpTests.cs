using System.IO.Pipelines;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Cli;

/// <summary>The read-ahead of an upload from standard input.</summary>
public sealed class InputPumpTests
{
    private const long PauseBytes = 4 << 20;

    [Fact]
    public async Task Start_SmallReadsAreNotConsumed_HoldsAtMostItsLimit()
    {
        CountingMemoryPool memory = new();
        PipeReader reader = InputPump.Start(new TricklingStream(Sample.Bytes(2 * PauseBytes), 4000), memory);

        await Deadline.Until(() => memory.RentedBytes >= PauseBytes);

        ReadResult read = await reader.ReadAtLeastAsync((int)PauseBytes).Within();
        Assert.InRange(memory.RentedBytes, read.Buffer.Length, read.Buffer.Length + (5 << 16));
        reader.AdvanceTo(read.Buffer.End);
        await reader.CompleteAsync();
        await Deadline.Until(() => memory.RentedBytes == 0);
    }

    [Fact]
    public async Task Start_AllInput_IsReadInOrder()
    {
        byte[] content = Sample.Bytes(PauseBytes + 5);
        PipeReader reader = InputPump.Start(new TricklingStream(content, 100_003));
        using MemoryStream copy = new();

        await reader.CopyToAsync(copy).Within();

        Assert.Equal(content, copy.ToArray());
    }

    private sealed class TricklingStream(byte[] content, int bytesPerRead) : MemoryStream(content)
    {
        public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(buffer.Length, bytesPerRead)]);

        public override int Read(byte[] buffer, int offset, int count) => base.Read(buffer, offset, Math.Min(count, bytesPerRead));
    }
}
