namespace Transfer.Server.Storage;

/// <summary>Reads one blob for one request.</summary>
internal interface IBlobReader : IDisposable
{
    /// <summary>Bytes from <paramref name="offset"/>: at least one, at most <paramref name="maximum"/>. They are good until the next call.</summary>
    ValueTask<ReadOnlyMemory<byte>> ReadAsync(long offset, long maximum, CancellationToken cancellationToken);
}
