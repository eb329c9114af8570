namespace Transfer.S3.Wire;

/// <summary>A body whose beginning was already read.</summary>
/// <param name="begin">The beginning.</param>
/// <param name="rest">The rest, which is disposed together with this stream.</param>
internal sealed class ReplayedBody(ReadOnlyMemory<byte> begin, Stream rest) : ForwardOnlyStream(rest)
{
    private ReadOnlyMemory<byte> _begin = begin;

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_begin.IsEmpty)
        {
            return Content.ReadAsync(buffer, cancellationToken);
        }

        int count = Math.Min(buffer.Length, _begin.Length);
        _begin[..count].CopyTo(buffer);
        _begin = _begin[count..];
        return ValueTask.FromResult(count);
    }
}
