using Transfer.Cli.Options;

namespace Transfer.Cli.Connections;

/// <summary>Keys from the environment. They never appear in a message.</summary>
internal sealed class AccessKeys
{
    private AccessKeys(string id, string secret, string? sessionToken)
    {
        Id = id;
        Secret = secret;
        SessionToken = sessionToken;
    }

    public string Id { get; }

    public string Secret { get; }

    public string? SessionToken { get; }

    public static AccessKeys? Find(ToolEnvironment environment)
    {
        string? id = environment.Get("AWS_ACCESS_KEY_ID");
        string? secret = environment.Get("AWS_SECRET_ACCESS_KEY");
        return (id, secret) switch
        {
            (null, null) => null,
            (not null, not null) => new AccessKeys(id, secret, environment.Get("AWS_SESSION_TOKEN")),
            (null, _) => throw new UsageException("AWS_SECRET_ACCESS_KEY is set and AWS_ACCESS_KEY_ID is not; set both or neither"),
            _ => throw new UsageException("AWS_ACCESS_KEY_ID is set and AWS_SECRET_ACCESS_KEY is not; set both or neither"),
        };
    }
}
