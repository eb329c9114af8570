namespace Transfer.S3.Bench.Operations;

/// <summary>Selects the object for each index of a run, and transfers it.</summary>
/// <param name="kind">The operation.</param>
/// <param name="objects">The objects.</param>
/// <param name="payload">The content to upload; null if nothing is uploaded.</param>
/// <param name="folder">The folder to download to; null to discard the content.</param>
internal sealed class Workload(OperationKind kind, ObjectSet objects, Payload? payload, string? folder)
{
    /// <summary>One of this many objects of a mixed load is an upload.</summary>
    private const int MixedWriteEvery = 4;

    public Task RunAsync(IEngine engine, int worker, long index, CancellationToken cancellationToken) => kind switch
    {
        OperationKind.Head => engine.HeadAsync(objects[index].Key, cancellationToken),
        OperationKind.Put => WriteAsync(engine, worker, cancellationToken),
        OperationKind.Small => WriteAndReadAsync(engine, worker, objects[index].Key, cancellationToken),
        OperationKind.Mixed when index % MixedWriteEvery == MixedWriteEvery - 1 => WriteAsync(engine, worker, cancellationToken),
        _ => ReadAsync(engine, worker, objects[index].Key, cancellationToken),
    };

    private Task ReadAsync(IEngine engine, int worker, string key, CancellationToken cancellationToken)
        => engine.GetAsync(key, folder is null ? null : Path.Combine(folder, $"worker-{worker}"), cancellationToken);

    // Each worker overwrites its own object, so that no object is uploaded twice at the same time, and the number of objects to delete doesn't grow.
    private Task WriteAsync(IEngine engine, int worker, CancellationToken cancellationToken)
        => engine.PutAsync($"{payload!.Prefix}worker-{worker}", payload.Path, cancellationToken);

    private async Task WriteAndReadAsync(IEngine engine, int worker, string key, CancellationToken cancellationToken)
    {
        await engine.PutAsync(key, payload!.Content, cancellationToken).ConfigureAwait(false);
        await ReadAsync(engine, worker, key, cancellationToken).ConfigureAwait(false);
    }
}
