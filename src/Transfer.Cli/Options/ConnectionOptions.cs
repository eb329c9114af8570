using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The options that say which store is meant and who asks.</summary>
internal sealed class ConnectionOptions
{
    public Option<string?> EndpointUrl { get; } = new("--endpoint-url")
    {
        HelpName = "URL",
        Description = "Address of the store, such as http://127.0.0.1:9000. Default: Amazon S3. [env: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL]",
    };

    public Option<string?> Region { get; } = new("--region")
    {
        HelpName = "NAME",
        Description = "Region to sign for. Default: the profile's; us-east-1 with an endpoint of your own. [env: AWS_REGION, AWS_DEFAULT_REGION]",
    };

    public Option<string?> Profile { get; } = new("--profile")
    {
        HelpName = "NAME",
        Description = "Profile of the AWS configuration files. [env: AWS_PROFILE]",
    };

    public Option<bool> PathStyle { get; } = new("--path-style")
    {
        Description = "Put the bucket into the path, not into the host name. Default: with --endpoint-url.",
    };

    public Option<bool> NoSignRequest { get; } = new("--no-sign-request")
    {
        Description = "Send requests without credentials, for public buckets.",
    };

    public Option<string?> CaBundle { get; } = new("--ca-bundle")
    {
        HelpName = "FILE",
        Description = "Certificates in PEM form to trust instead of the system's, for a store with a private authority. [env: AWS_CA_BUNDLE]",
    };

    // Not from the environment: whoever reads the line must see it.
    public Option<bool> Insecure { get; } = new("--insecure")
    {
        Description = "Do NOT verify the store's certificate: anybody on the way can read and change everything. For tests; says so on every run.",
    };

    public void AddTo(Command command)
    {
        command.Add(EndpointUrl);
        command.Add(Region);
        command.Add(Profile);
        command.Add(PathStyle);
        command.Add(NoSignRequest);
        command.Add(CaBundle);
        command.Add(Insecure);
    }
}
