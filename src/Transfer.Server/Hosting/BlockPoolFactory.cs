using System.Buffers;
using Microsoft.AspNetCore.Connections;

namespace Transfer.S3.Server.Hosting;

/// <summary>Creates <see cref="BlockPool"/>s for Kestrel, one for each of its socket queues.</summary>
internal sealed class BlockPoolFactory : IMemoryPoolFactory<byte>
{
    public MemoryPool<byte> Create(MemoryPoolOptions? options = null) => new BlockPool();
}
