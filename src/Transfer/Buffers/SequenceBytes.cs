using System.Buffers;

namespace Transfer.S3.Buffers;

/// <summary>A request body in memory that belongs to the caller.</summary>
internal sealed class SequenceBytes(ReadOnlySequence<byte> sequence) : IBodyBytes
{
    private SequencePosition _at = sequence.Start;
    private long _next;

    public long Length { get; } = sequence.Length;

    public int ValidPieces => int.MaxValue;

    public ReadOnlyMemory<byte> Read(long offset, int count = int.MaxValue)
    {
        _at = offset < _next ? sequence.GetPosition(offset) : sequence.GetPosition(offset - _next, _at);
        _next = offset;
        SequencePosition next = _at;
        ReadOnlyMemory<byte> memory = default;
        while (memory.IsEmpty && sequence.TryGet(ref next, out memory))
        {
        }

        return memory[..Math.Min(count, memory.Length)];
    }

    public void Sent(long offset)
    {
    }
}
