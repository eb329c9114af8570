using System.Buffers;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>Counts the bytes that are rented from the pool.</summary>
internal sealed class CountingMemoryPool : MemoryPool<byte>
{
    private long _rented;

    public long RentedBytes => Volatile.Read(ref _rented);

    public override int MaxBufferSize => Shared.MaxBufferSize;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
    {
        Owner owner = new(this, new byte[minBufferSize]);
        Interlocked.Add(ref _rented, minBufferSize);
        return owner;
    }

    protected override void Dispose(bool disposing)
    {
    }

    private sealed class Owner(CountingMemoryPool pool, byte[] bytes) : IMemoryOwner<byte>
    {
        public Memory<byte> Memory => bytes;

        public void Dispose() => Interlocked.Add(ref pool._rented, -bytes.Length);
    }
}
