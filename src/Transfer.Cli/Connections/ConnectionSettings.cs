using Transfer.Cli.Options;

namespace Transfer.Cli.Connections;

/// <summary>Which store is meant and who asks: resolved and checked, before anything is sent.</summary>
internal sealed record ConnectionSettings
{
    private const string DefaultRegion = "us-east-1";
    private const string DefaultProfile = "default";

    /// <summary>The store's address; null for Amazon S3.</summary>
    public Uri? Endpoint { get; private init; }

    public required string Region { get; init; }

    /// <summary>The profile that was named, on the line or in the environment.</summary>
    public string? Profile { get; private init; }

    /// <summary>Whether the line names the profile: then keys in the environment do not count, as the AWS CLI has it.</summary>
    public bool IsProfileExplicit { get; private init; }

    public bool PathStyle { get; private init; }

    public bool IsAnonymous { get; private init; }

    /// <summary>Gets the keys from the line, or from the environment unless --profile or --no-sign-request makes those meaningless.</summary>
    public AccessKeys? Keys { get; private init; }

    /// <summary>A file of certificates to trust instead of the system's.</summary>
    public GivenValue? CaBundle { get; private init; }

    /// <summary>Whether nothing is asked of the store's certificate.</summary>
    public bool IsInsecure { get; private init; }

    /// <summary>Whether others on the way to the store can read what is sent, because it goes over plain http and leaves this machine.</summary>
    public bool IsInTheClear => Endpoint is { IsLoopback: false } endpoint && endpoint.Scheme == Uri.UriSchemeHttp;

    /// <summary>How messages name the store.</summary>
    public string StoreName => Endpoint?.ToString() ?? $"Amazon S3 in {Region}";

    /// <param name="values">The line and the environment.</param>
    /// <param name="options">The options.</param>
    /// <param name="findProfile">Reads a profile of the configuration files; null where there is none.</param>
    /// <param name="keys">Keys that the line gives; null for none.</param>
    public static ConnectionSettings Resolve(OptionValues values, ConnectionOptions options, Func<string, ProfileValues?> findProfile, AccessKeys? keys = null)
    {
        if (keys is not null && (values.IsOnLine(options.Profile) || values.IsOnLine(options.NoSignRequest)))
        {
            throw new UsageException($"keys on the line do not go with {options.Profile.Name} or {options.NoSignRequest.Name}: each says who asks");
        }

        GivenValue? profileName = values.Find(options.Profile, "AWS_PROFILE");
        ProfileValues? profile = findProfile(profileName?.Text ?? DefaultProfile);
        if (profile is null && profileName is not null)
        {
            throw OptionValues.Wrong(profileName, "the name of a profile in ~/.aws/config or ~/.aws/credentials, and there is none of that name");
        }

        bool ignoreConfigured = values.Environment.IsOn("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS");
        GivenValue? endpoint = ignoreConfigured
            ? values.Find(options.EndpointUrl, [])
            : values.Find(options.EndpointUrl, "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
                ?? (profile?.EndpointUrl is { Length: > 0 } url ? new GivenValue($"endpoint_url of profile {profileName?.Text ?? DefaultProfile}", url) : null);
        Uri? address = endpoint is null
            ? null
            : TryParseEndpoint(endpoint.Text, out Uri parsed) ? parsed
            : throw OptionValues.Wrong(
                endpoint with { Text = AddressText.WithoutSecrets(endpoint.Text) },
                "an address that begins with http:// or https:// and has no user name or query, such as http://127.0.0.1:9000");
        string? region = values.Find(options.Region, "AWS_REGION", "AWS_DEFAULT_REGION")?.Text ?? profile?.Region ?? (address is null ? null : DefaultRegion);
        if (region is null)
        {
            throw new UsageException("no region is known; give --region, AWS_REGION or a profile that has one, or --endpoint-url for another store");
        }

        bool isInsecure = values.IsOnLine(options.Insecure) && values.IsOn(options.Insecure);
        if (isInsecure && values.IsOnLine(options.CaBundle))
        {
            throw new UsageException($"{options.Insecure.Name} trusts anybody and {options.CaBundle.Name} only some; give one of them");
        }

        if (isInsecure && address?.Scheme == Uri.UriSchemeHttp)
        {
            throw new UsageException($"{options.Insecure.Name} is for https; nothing is verified of {address} anyway");
        }

        bool isProfileExplicit = profileName?.Source == options.Profile.Name;
        bool isAnonymous = keys is null && values.IsOn(options.NoSignRequest);
        return new ConnectionSettings
        {
            Endpoint = address,
            Region = region,
            Profile = profileName?.Text,
            IsProfileExplicit = isProfileExplicit,
            PathStyle = values.IsOn(options.PathStyle) || (address is not null && !values.IsGiven(options.PathStyle)),
            IsAnonymous = isAnonymous,
            Keys = keys ?? (isProfileExplicit || isAnonymous ? null : AccessKeys.Find(values.Environment)),
            CaBundle = isInsecure ? null : values.Find(options.CaBundle, "AWS_CA_BUNDLE"),
            IsInsecure = isInsecure,
        };
    }

    private static bool TryParseEndpoint(string text, out Uri endpoint)
        => Uri.TryCreate(text.Trim(), UriKind.Absolute, out endpoint!)
            && (endpoint.Scheme == Uri.UriSchemeHttp || endpoint.Scheme == Uri.UriSchemeHttps)
            && endpoint.UserInfo.Length == 0
            && endpoint.Query.Length == 0
            && endpoint.Host.Length > 0;
}
