namespace Transfer.Cli.Bench.Operations;

/// <summary>What the how many-th object of a run is, and what is done with it.</summary>
/// <param name="kind">What is measured.</param>
/// <param name="objects">The objects.</param>
/// <param name="payload">What is written; null where nothing is.</param>
/// <param name="folder">Where objects that are read go; null for nowhere.</param>
internal sealed class Workload(OperationKind kind, ObjectSet objects, Payload? payload, string? folder)
{
    /// <summary>Of so many objects of a mixed load, one is written.</summary>
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

    // Each worker writes its own object over and over: no two write one at once, and what is left to remove does not grow.
    private Task WriteAsync(IEngine engine, int worker, CancellationToken cancellationToken)
        => engine.PutAsync($"{payload!.Prefix}worker-{worker}", payload.Path, cancellationToken);

    private async Task WriteAndReadAsync(IEngine engine, int worker, string key, CancellationToken cancellationToken)
    {
        await engine.PutAsync(key, payload!.Content, cancellationToken).ConfigureAwait(false);
        await ReadAsync(engine, worker, key, cancellationToken).ConfigureAwait(false);
    }
}
