using System.CommandLine;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Connections;

namespace Transfer.S3.Cli.Options;

/// <summary>The connections of a command that has a source and a target: one for the only store, or one for each of two stores.</summary>
internal sealed class StoreOptions
{
    private readonly ConnectionOptions _connection = new();
    private readonly ConnectionOptions _from = ConnectionOptions.OfSource();
    private readonly ConnectionOptions _to = ConnectionOptions.OfTarget();

    /// <summary>Gets an option of each store, as an example in messages.</summary>
    public string Examples => $"{_from.Profile.Name} and {_to.Profile.Name}";

    /// <summary>Adds the options to a command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="purpose">What two stores are for: "to copy from one store to another".</param>
    public void AddTo(Command command, string purpose)
    {
        _connection.AddTo(command);
        command.AddGroup($"Connection of each store, {purpose}", [.. _from.All, .. _to.All]);
    }

    /// <summary>Returns whether the command line has options of one of two stores.</summary>
    public bool HasTwoStores(OptionValues values) => _from.All.Concat(_to.All).Any(values.IsOnLine);

    /// <summary>Reads the stores of the source and the target.</summary>
    public CopyStores Resolve(OptionValues values) => HasTwoStores(values)
        ? new CopyStores(
            ConnectionSettings.Resolve(values, _connection, AwsProfiles.Find, side: _from),
            ConnectionSettings.Resolve(values, _connection, AwsProfiles.Find, side: _to))
        : new CopyStores(ConnectionSettings.Resolve(values, _connection, AwsProfiles.Find), null);

    /// <summary>Reads the source of a copy that is a URL, and the store of its target if it is in one.</summary>
    public CopyStores ResolveUrl(OptionValues values, SourceUrl source, bool isToStore) => new(
        ConnectionSettings.OfUrl(source.Url, values, _connection),
        isToStore ? ConnectionSettings.Resolve(values, _connection, AwsProfiles.Find) : null);

    /// <summary>Reads the stores of a job. Its folder is in the store of the options without a prefix.</summary>
    /// <param name="values">The command line and the environment.</param>
    /// <param name="folder">The folder of the job.</param>
    public JobStores ResolveJob(OptionValues values, Location folder) => new(
        Resolve(values),
        HasTwoStores(values) && folder.Kind == LocationKind.S3 ? ConnectionSettings.Resolve(values, _connection, AwsProfiles.Find) : null);
}
