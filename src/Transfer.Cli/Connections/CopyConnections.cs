using Transfer.Cli.Execution;
using Transfer.Cli.Options;

namespace Transfer.Cli.Connections;

/// <summary>The connections of a copy.</summary>
/// <param name="source">The connection to the source, or to the only store.</param>
/// <param name="target">The connection to the target; null if there is only one store.</param>
internal sealed class CopyConnections(Connection source, Connection? target) : IDisposable
{
    public Connection Source => source;

    /// <summary>Creates the clients.</summary>
    public CopyClients CreateClients(TransferSettings settings, Invocation invocation) => new(
        new TransferClient(source.TransferClient, invocation.Observe(settings.ToClientOptions())),
        target is null ? null : new TransferClient(target.TransferClient, invocation.Observe(settings.ToClientOptions())));

    public void Dispose()
    {
        source.Dispose();
        target?.Dispose();
    }
}
