using System.CommandLine;

namespace Transfer.S3.Cli.Options;

/// <summary>The connection options of one store, as given: its own ones, or else those of both stores. No rule looks at the options before.</summary>
/// <param name="values">The command line and the environment.</param>
/// <param name="common">The options of the only store, or of both stores.</param>
/// <param name="side">The options of this store; null if the command uses one store.</param>
internal sealed class ConnectionLine(OptionValues values, ConnectionOptions common, ConnectionOptions? side)
{
    private const string BundleVariable = "AWS_CA_BUNDLE";

    /// <summary>Gets the name of the profile, if this store has an own one.</summary>
    public GivenValue? OwnProfile => side is null ? null : values.Line(side.Profile);

    public GivenValue? Profile => OwnProfile ?? values.Find(common.Profile, "AWS_PROFILE");

    /// <summary>Gets a value that indicates whether the command line names the profile.</summary>
    public bool IsProfileOnLine => OwnProfile is not null || values.IsOnLine(common.Profile);

    public GivenValue? EndpointUrl => Line(options => options.EndpointUrl);

    public GivenValue? EndpointUrlOfEnvironment => values.Find(common.EndpointUrl, "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");

    public string? Region => Line(options => options.Region)?.Text;

    public string? RegionOfEnvironment => values.Find(common.Region, "AWS_REGION", "AWS_DEFAULT_REGION")?.Text;

    public GivenValue? BucketOwner => Line(options => options.BucketOwner);

    public bool NoSignRequest => values.IsOn(Own(options => options.NoSignRequest));

    /// <summary>Gets a value that indicates whether to use path-style requests; null if that isn't specified.</summary>
    public bool? PathStyle => Own(options => options.PathStyle) is var option && values.IsGiven(option) ? values.IsOn(option) : null;

    /// <summary>Gets how to verify the store's certificate. What is given for this store only takes precedence, and the contradicting option for both stores is then for the other one.</summary>
    /// <param name="address">The address of the store; null for Amazon S3.</param>
    /// <param name="ofProfile">The file of the profile; null if there is none.</param>
    /// <exception cref="UsageException">Thrown when options contradict each other or the address.</exception>
    public (bool IsInsecure, GivenValue? CaBundle) Trust(Uri? address, GivenValue? ofProfile = null)
    {
        bool hasOwn = side is not null && (values.IsOnLine(side.Insecure) || values.IsOnLine(side.CaBundle));
        ConnectionOptions options = hasOwn ? side! : common;
        GivenValue? ofEnvironment = values.Environment.Get(BundleVariable) is { } file ? new GivenValue(BundleVariable, file) : null;
        GivenValue? configured = OwnProfile is null ? ofEnvironment ?? ofProfile : ofProfile ?? ofEnvironment;
        if (address?.Scheme == Uri.UriSchemeHttp)
        {
            // What is given for both stores is for the one that uses HTTPS.
            Option? wrong = side is not null && !hasOwn ? null : values.Flag(options.Insecure) ? options.Insecure : values.IsOnLine(options.CaBundle) ? options.CaBundle : null;
            return wrong is null ? (false, configured) : throw new UsageException($"{wrong.Name} is for HTTPS, but {address} uses plain HTTP");
        }

        bool isInsecure = values.Flag(options.Insecure);
        if (isInsecure && values.IsOnLine(options.CaBundle))
        {
            throw new UsageException($"{options.Insecure.Name} and {options.CaBundle.Name} contradict each other; specify only one of them");
        }

        return (isInsecure, isInsecure ? null : Line(one => one.CaBundle) ?? configured);
    }

    private GivenValue? Line(Func<ConnectionOptions, Option<string?>> option) => (side is null ? null : values.Line(option(side))) ?? values.Line(option(common));

    private Option<bool> Own(Func<ConnectionOptions, Option<bool>> option) => side is not null && values.IsOnLine(option(side)) ? option(side) : option(common);
}
