using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Connections;

/// <summary>The clients of a job, and its folder.</summary>
internal sealed class JobClients : IAsyncDisposable
{
    private readonly CopyConnections _connections;
    private readonly Connection? _folderConnection;
    private readonly CopyClients _clients;
    private readonly TransferClient? _folderClient;

    private JobClients(CopyConnections connections, Connection? folderConnection, CopyClients clients, TransferClient? folderClient)
        => (_connections, _folderConnection, _clients, _folderClient) = (connections, folderConnection, clients, folderClient);

    public TransferClient Source => _clients.Source;

    /// <summary>Gets the client of the target, if it is in another store.</summary>
    public TransferClient? Other => _clients.Other;

    public CopyClients Sides => _clients;

    /// <summary>Connects to the stores.</summary>
    public static async Task<JobClients> OpenAsync(JobStores stores, ClientLimits limits, Invocation invocation, CancellationToken cancellationToken)
    {
        CopyConnections connections = await CopyConnections.OpenAsync(stores.Sides, invocation, cancellationToken).ConfigureAwait(false);
        Connection? folder = null;
        try
        {
            folder = stores.Folder is null ? null : await Connection.OpenAsync(stores.Folder, cancellationToken).ConfigureAwait(false);
            return new JobClients(connections, folder, connections.CreateClients(limits, invocation), folder?.CreateClient(invocation, new ClientLimits { Usage = limits.Usage }));
        }
        catch
        {
            folder?.Dispose();
            connections.Dispose();
            throw;
        }
    }

    /// <summary>Gets the folder of a job.</summary>
    public JobFolder GetFolder(Location folder) => folder.Kind == LocationKind.S3
        ? JobFolder.InBucket(_folderClient ?? Source, folder.Bucket, folder.Key)
        : JobFolder.InDirectory(folder.Text);

    public async ValueTask DisposeAsync()
    {
        await _clients.DisposeAsync().ConfigureAwait(false);
        if (_folderClient is not null)
        {
            await _folderClient.DisposeAsync().ConfigureAwait(false);
        }

        _folderConnection?.Dispose();
        _connections.Dispose();
    }
}
