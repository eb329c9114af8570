namespace Transfer.S3.Server.Storage;

/// <summary>Reads a blob for one request.</summary>
internal interface IBlobReader : IDisposable
{
    /// <summary>
    /// Reads at least one and at most <paramref name="maximum"/> bytes at <paramref name="offset"/>. They are valid until the next call.
    /// </summary>
    ValueTask<ReadOnlyMemory<byte>> ReadAsync(long offset, long maximum, CancellationToken cancellationToken);
}
