using System.CommandLine;
using Transfer.Cli.Commands;
using Transfer.Cli.Connections;

namespace Transfer.Cli.Options;

/// <summary>The connections of a job: to one store, or to those of the source and the target. The folder of the job is in the store of the ordinary options.</summary>
internal sealed class JobConnectionOptions
{
    private readonly ConnectionOptions _connection = new();
    private readonly ConnectionOptions _from = ConnectionOptions.OfSource();
    private readonly ConnectionOptions _to = ConnectionOptions.OfTarget();

    public void AddTo(Command command)
    {
        _connection.AddTo(command);
        command.AddGroup("Connection of each store, for a job from one store to another", [.. _from.All, .. _to.All]);
    }

    public bool HasTwoStores(OptionValues values) => _from.All.Concat(_to.All).Any(values.IsOnLine);

    /// <param name="values">The command line and the environment.</param>
    /// <param name="folder">The folder of the job.</param>
    public JobStores Resolve(OptionValues values, Location folder)
    {
        if (!HasTwoStores(values))
        {
            return new JobStores(new CopyStores(ConnectionSettings.Resolve(values, _connection, AwsProfiles.Find), null), null);
        }

        CopyStores stores = new(
            ConnectionSettings.Resolve(values, _connection, AwsProfiles.Find, side: _from),
            ConnectionSettings.Resolve(values, _connection, AwsProfiles.Find, side: _to));
        return new JobStores(stores, folder.Kind == LocationKind.S3 ? ConnectionSettings.Resolve(values, _connection, AwsProfiles.Find) : null);
    }
}
