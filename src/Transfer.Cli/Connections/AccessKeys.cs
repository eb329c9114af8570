using Amazon.Runtime;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Connections;

/// <summary>Access keys from the command line or the environment. They never appear in messages.</summary>
/// <param name="source">Where the keys come from, in messages.</param>
/// <param name="id">The access key ID.</param>
/// <param name="secret">The secret access key.</param>
/// <param name="sessionToken">The session token; null for none.</param>
internal sealed class AccessKeys(string source, string id, string secret, string? sessionToken)
{
    /// <summary>The source of keys in the environment, in messages.</summary>
    public const string OfEnvironment = "the access key of the environment";

    public string Source => source;

    public string Id => id;

    public string Secret => secret;

    public string? SessionToken => sessionToken;

    public AWSCredentials ToCredentials() => SessionToken is null ? new BasicAWSCredentials(Id, Secret) : new SessionAWSCredentials(Id, Secret, SessionToken);

    /// <summary>Gets the keys on the command line; null if there are none.</summary>
    public static AccessKeys? Find(OptionValues values, KeyOptions options) => (values.Line(options.AccessKeyId), values.Line(options.SecretAccessKey)) switch
    {
        (null, null) => null,
        ({ } id, { } secret) => new AccessKeys("the access key of the command line", id.Text, secret.Text, null),
        (null, _) => throw new UsageException($"{options.SecretAccessKey.Name} is specified and {options.AccessKeyId.Name} is not; specify both or neither"),
        _ => throw new UsageException($"{options.AccessKeyId.Name} is specified and {options.SecretAccessKey.Name} is not; specify both or neither"),
    };

    public static AccessKeys? Find(ToolEnvironment environment)
    {
        string? id = environment.Get("AWS_ACCESS_KEY_ID");
        string? secret = environment.Get("AWS_SECRET_ACCESS_KEY");
        return (id, secret) switch
        {
            (null, null) => null,
            (not null, not null) => new AccessKeys(OfEnvironment, id, secret, environment.Get("AWS_SESSION_TOKEN")),
            (null, _) => throw new UsageException("AWS_SECRET_ACCESS_KEY is set and AWS_ACCESS_KEY_ID is not; set both or neither"),
            _ => throw new UsageException("AWS_ACCESS_KEY_ID is set and AWS_SECRET_ACCESS_KEY is not; set both or neither"),
        };
    }
}
