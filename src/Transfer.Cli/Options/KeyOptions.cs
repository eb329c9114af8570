using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>Keys on the line, for whoever can't set variables.</summary>
internal sealed class KeyOptions
{
    public Option<string?> AccessKeyId { get; } = new("--access-key-id")
    {
        HelpName = "ID",
        Description = "Access key, instead of the environment's or the profile's. [env: AWS_ACCESS_KEY_ID]",
    };

    public Option<string?> SecretAccessKey { get; } = new("--secret-access-key")
    {
        HelpName = "SECRET",
        Description = "Its secret. Everybody on this machine can read it in the list of processes: rather set AWS_SECRET_ACCESS_KEY.",
    };

    public void AddTo(Command command)
    {
        command.Add(AccessKeyId);
        command.Add(SecretAccessKey);
    }
}
