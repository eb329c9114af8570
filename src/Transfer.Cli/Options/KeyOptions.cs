using System.CommandLine;
using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Cli.Options;

/// <summary>Access keys on the command line, for environments where variables can't be set.</summary>
internal sealed class KeyOptions
{
    public Option<string?> AccessKeyId { get; } = Declare.RareText(
        "--access-key-id", "ID", "Access key ID. Overrides the environment and the profile. [env: AWS_ACCESS_KEY_ID]");

    public Option<string?> SecretAccessKey { get; } = Declare.RareText(
        "--secret-access-key", "SECRET", "Secret access key. Every user of this machine can see it in the process list, so prefer AWS_SECRET_ACCESS_KEY.");

    public void AddTo(Command command) => command.AddGroup("Connection", AccessKeyId, SecretAccessKey);
}
