namespace Transfer.Server.Storage;

/// <summary>Takes the bytes of one upload. Disposed before <see cref="CompleteAsync"/>, it leaves nothing behind.</summary>
internal interface IBlobWriter : IBodySink, IAsyncDisposable
{
    /// <summary>The finished blob; the caller is its first holder.</summary>
    ValueTask<IBlob> CompleteAsync(CancellationToken cancellationToken);
}
