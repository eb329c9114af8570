namespace Transfer.Server.Storage;

/// <summary>What is left of discarded bytes: their number. It reads as zeros.</summary>
internal sealed class ZeroBlob(long length) : IBlob, IBlobReader
{
    private static readonly byte[] Zeros = new byte[256 << 10];

    public long Length => length;

    public bool KeepsBytes => false;

    public IBlobReader OpenReader() => this;

    public ValueTask<ReadOnlyMemory<byte>> ReadAsync(long offset, long maximum, CancellationToken cancellationToken) =>
        new(Zeros.AsMemory(0, (int)Math.Min(maximum, Zeros.Length)));

    public void AddReference()
    {
        // Nothing is kept, nothing is freed.
    }

    public void Release()
    {
        // Nothing is kept, nothing is freed.
    }

    public void Dispose()
    {
        // A reader of zeros holds nothing of its own.
    }
}
