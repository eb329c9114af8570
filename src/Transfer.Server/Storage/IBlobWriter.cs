namespace Transfer.S3.Server.Storage;

/// <summary>Writes the bytes of an upload. If it is disposed before <see cref="CompleteAsync"/>, the data is deleted.</summary>
internal interface IBlobWriter : IBodySink, IAsyncDisposable
{
    /// <summary>Returns the finished blob. The caller owns its first reference.</summary>
    ValueTask<IBlob> CompleteAsync(CancellationToken cancellationToken);
}
