using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>A command of the tool that uses one store.</summary>
internal abstract class StoreCommand : ToolCommand
{
    protected StoreCommand(CommandRunner runner, string name, string group, string summary, string description)
        : base(runner, name, group, summary, description)
    {
    }

    /// <summary>Gets the options of the store.</summary>
    protected ConnectionOptions Store { get; } = new();

    /// <summary>Adds the options of the store and of the output, which come last.</summary>
    protected void AddStore(bool hideTransfers = false, bool entries = false)
    {
        Store.AddTo(this);
        Output.AddTo(this, hideProgress: true, hideTransfers, entries: entries);
    }

    /// <summary>Reads the options of the store.</summary>
    /// <exception cref="UsageException">Thrown when the command can't use such a store.</exception>
    protected virtual ConnectionSettings ResolveStore(OptionValues values) => ConnectionSettings.Resolve(values, Store, AwsProfiles.Find);

    /// <summary>Ends planning, connects to the store, and uses it.</summary>
    /// <param name="invocation">The run of the command.</param>
    /// <param name="purpose">What the command does, in messages.</param>
    /// <param name="plan">What the command was told to do, without the store.</param>
    /// <param name="useAsync">Does it.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    protected async Task UseStoreAsync(Invocation invocation, string purpose, object?[] plan, Func<Connection, Task> useAsync, CancellationToken cancellationToken)
    {
        ConnectionSettings store = ResolveStore(invocation.Values);
        invocation.EndPlanning(purpose, [.. plan, store]);
        invocation.Use(store);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        await useAsync(connection).ConfigureAwait(false);
    }

    /// <summary>Does the same with a client of the library, whose requests are counted.</summary>
    protected Task UseClientAsync(Invocation invocation, string purpose, object?[] plan, Func<TransferClient, Task> useAsync, CancellationToken cancellationToken)
        => UseStoreAsync(invocation, purpose, plan, connection => UseClientAsync(connection, invocation, useAsync), cancellationToken);

    /// <summary>Uses a client of the library, whose requests are counted.</summary>
    protected static async Task UseClientAsync(Connection connection, Invocation invocation, Func<TransferClient, Task> useAsync)
    {
        TransferClient client = connection.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            await useAsync(client).ConfigureAwait(false);
        }
    }
}
