using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Connections;

/// <summary>The connections of a copy.</summary>
/// <param name="source">The connection to the source, or to the only store.</param>
/// <param name="target">The connection to the target; null if there is only one store.</param>
internal sealed class CopyConnections(Connection source, Connection? target) : IDisposable
{
    public Connection Source => source;

    /// <summary>Connects to the stores.</summary>
    public static async Task<CopyConnections> OpenAsync(CopyStores stores, Invocation invocation, CancellationToken cancellationToken)
    {
        if (stores.Target is null)
        {
            invocation.Use(stores.Source);
            return new CopyConnections(await Connection.OpenAsync(stores.Source, cancellationToken).ConfigureAwait(false), null);
        }

        invocation.Use(stores.Source, stores.Target);
        Connection reading = await Connection.OpenAsync(stores.Source, cancellationToken).ConfigureAwait(false);
        try
        {
            return new CopyConnections(reading, await Connection.OpenAsync(stores.Target, cancellationToken).ConfigureAwait(false));
        }
        catch
        {
            reading.Dispose();
            throw;
        }
    }

    /// <summary>Creates the clients.</summary>
    /// <param name="limits">The limits of each client.</param>
    /// <param name="invocation">The command.</param>
    public CopyClients CreateClients(ClientLimits limits, Invocation invocation)
        => new(source.CreateClient(invocation, limits), target?.CreateClient(invocation, limits));

    public void Dispose()
    {
        source.Dispose();
        target?.Dispose();
    }
}
