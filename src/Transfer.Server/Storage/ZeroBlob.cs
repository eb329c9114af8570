namespace Transfer.S3.Server.Storage;

/// <summary>A blob of discarded content. Only its length is kept, and it reads as zeros.</summary>
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
        // No content is stored, so there is nothing to free.
    }

    public void Release()
    {
        // No content is stored, so there is nothing to free.
    }

    public void Dispose()
    {
        // A reader of zeros owns no resources.
    }
}
