namespace Transfer.S3.Cli.Connections;

/// <summary>The settings of the stores of a copy.</summary>
/// <param name="Source">The store of the source, or the only store.</param>
/// <param name="Target">The store of the target; null if there is only one store.</param>
internal sealed record CopyStores(ConnectionSettings Source, ConnectionSettings? Target);
