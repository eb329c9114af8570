using System.CommandLine;
using Transfer.Cli.Commands;

namespace Transfer.Cli.Options;

/// <summary>The options that select the store and the credentials.</summary>
internal sealed class ConnectionOptions
{
    public Option<string?> EndpointUrl { get; } = new("--endpoint-url")
    {
        HelpName = "URL",
        Description = "URL of the store, such as http://127.0.0.1:9000. Default: Amazon S3. [env: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL]",
    };

    public Option<string?> Region { get; } = new("--region")
    {
        HelpName = "NAME",
        Description = "Region of the store. Default: the profile's region, or us-east-1 with --endpoint-url. [env: AWS_REGION, AWS_DEFAULT_REGION]",
    };

    public Option<string?> Profile { get; } = new("--profile")
    {
        HelpName = "NAME",
        Description = "Profile in the AWS configuration files. [env: AWS_PROFILE]",
    };

    public Option<bool> PathStyle { get; } = new("--path-style")
    {
        Description = "Use path-style requests: the bucket is in the path, not in the host name. Default: on with --endpoint-url.",
    };

    public Option<bool> NoSignRequest { get; } = new("--no-sign-request")
    {
        Description = "Send requests without credentials, for public buckets.",
    };

    public Option<string?> CaBundle { get; } = new("--ca-bundle")
    {
        HelpName = "FILE",
        Description = "PEM file with the CA certificates to trust instead of the system's. [env: AWS_CA_BUNDLE]",
    };

    // Not read from the environment, so that the command line always shows it.
    public Option<bool> Insecure { get; } = new("--insecure")
    {
        Description = "Do NOT verify the store's certificate: anyone on the network path can read and change everything. For tests only; prints a warning on every run.",
    };

    public void AddTo(Command command) => command.AddGroup("Connection", EndpointUrl, Region, Profile, PathStyle, NoSignRequest, CaBundle, Insecure);
}
