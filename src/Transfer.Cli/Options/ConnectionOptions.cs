using System.CommandLine;
using System.CommandLine.Completions;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Connections;

namespace Transfer.S3.Cli.Options;

/// <summary>
/// The options that select a store and the credentials: those of the only store or of both stores, and for each of two stores the same with a prefix, which take
/// precedence.
/// </summary>
internal sealed class ConnectionOptions
{
    private readonly string _prefix;
    private readonly string? _side;

    /// <summary>Creates the options of the only store, or of both stores.</summary>
    public ConnectionOptions()
        : this("--", null)
    {
    }

    private ConnectionOptions(string prefix, string? side)
    {
        _prefix = prefix;
        _side = side;
        EndpointUrl = Text("endpoint-url", "URL", "URL of the store, such as http://127.0.0.1:9000. Default: Amazon S3. [env: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL]");
        Region = Text("region", "NAME", "Region of the store. Default: the profile's region, or us-east-1 with --endpoint-url. [env: AWS_REGION, AWS_DEFAULT_REGION]");
        Profile = Text("profile", "NAME", "Profile in the AWS configuration files. [env: AWS_PROFILE]", "Its endpoint and region take precedence over the environment.");
        Profile.CompletionSources.Add(static _ => AwsProfiles.Names().Select(static name => new CompletionItem(name)));
        PathStyle = RareFlag("path-style", "Use path-style requests: the bucket is in the path, not in the host name. Default: on with --endpoint-url.");
        NoSignRequest = RareFlag("no-sign-request", "Send requests without credentials, for public buckets.");
        CaBundle = RareText("ca-bundle", "FILE", "PEM file with the CA certificates to trust instead of the system's. Default: the profile's ca_bundle. [env: AWS_CA_BUNDLE]", "Takes precedence over --insecure.");
        Insecure = RareFlag(
            "insecure",
            "Do NOT verify the store's certificate: anyone on the network path can read and change everything. For tests only; prints a warning on every run.",
            "Takes precedence over --ca-bundle.");
        BucketOwner = RareText("expected-bucket-owner", "ID", "ID of the account that must own the buckets; the store rejects requests to those of others. Not every store checks it.");
        RetryFor = RareText("retry-for", "TIME", "How long to wait for a store that can't be reached, such as during its restart: 0 to 1d, such as 30s or 10m. Default: 30s on a terminal, or else 2m.");
        All = [EndpointUrl, Region, Profile, PathStyle, NoSignRequest, CaBundle, Insecure, BucketOwner, .. side is null ? (Option[])[RetryFor] : []];
    }

    public Option<string?> EndpointUrl { get; }

    public Option<string?> Region { get; }

    public Option<string?> Profile { get; }

    public Option<bool> PathStyle { get; }

    public Option<bool> NoSignRequest { get; }

    public Option<string?> CaBundle { get; }

    /// <summary>Gets the option that turns verification off. It isn't read from the environment, so that the command line always shows it.</summary>
    public Option<bool> Insecure { get; }

    public Option<string?> BucketOwner { get; }

    /// <summary>Gets the option that says how long a store is waited for. It isn't added for one of two stores.</summary>
    public Option<string?> RetryFor { get; }

    public IReadOnlyList<Option> All { get; }

    /// <summary>Creates the options of the source's store.</summary>
    public static ConnectionOptions OfSource() => new("--from-", "source");

    /// <summary>Creates the options of the target's store.</summary>
    public static ConnectionOptions OfTarget() => new("--to-", "target");

    public void AddTo(Command command) => command.AddGroup("Connection", All);

    /// <summary>Creates an option that selects the store. Of one of two stores, it is as rare as the copies that need it.</summary>
    private Option<string?> Text(string name, string value, string description, string? ofSide = null)
        => _side is null ? Declare.Text(_prefix + name, value, description) : RareText(name, value, description, ofSide);

    private Option<string?> RareText(string name, string value, string description, string? ofSide = null)
        => Declare.RareText(_prefix + name, value, Describe(name, description, ofSide));

    private Option<bool> RareFlag(string name, string description, string? ofSide = null) => Declare.RareFlag(_prefix + name, Describe(name, description, ofSide));

    private string Describe(string name, string description, string? ofSide)
        => _side is null ? description : $"--{name} of the {_side} only." + (ofSide is null ? string.Empty : $" {ofSide}");
}
