using Amazon.Runtime;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Connections;

/// <summary>The validated options of the store and the credentials.</summary>
internal sealed record ConnectionSettings
{
    private const string DefaultRegion = "us-east-1";
    private const string DefaultProfile = "default";

    /// <summary>Gets the URL of the store; null for Amazon S3.</summary>
    public Uri? Endpoint { get; private init; }

    /// <summary>Gets the URL that all requests are sent to instead, to read one object; null for a store.</summary>
    public Uri? ObjectUrl { get; private init; }

    public required string Region { get; init; }

    /// <summary>Gets the profile on the command line or in the environment; null for none.</summary>
    public string? Profile { get; private init; }

    /// <summary>Gets a value that indicates whether the command line names the profile. As in the AWS CLI, keys in the environment are then ignored.</summary>
    public bool IsProfileExplicit { get; private init; }

    public bool PathStyle { get; private init; }

    public bool IsAnonymous { get; private init; }

    /// <summary>Gets the keys from the command line, or from the environment unless --profile or --no-sign-request overrides them.</summary>
    public AccessKeys? Keys { get; private init; }

    /// <summary>Gets the environment that other credentials can come from.</summary>
    public required ToolEnvironment Environment { get; init; }

    /// <summary>Gets the ID of the account that must own the buckets; null for any.</summary>
    public string? BucketOwner { get; private init; }

    /// <summary>Gets how long a store that can't be reached is waited for; null for the default.</summary>
    public TimeSpan? RetryFor { get; private init; }

    /// <summary>Gets the file with the certificates to trust instead of the system's.</summary>
    public GivenValue? CaBundle { get; private init; }

    /// <summary>Gets a value that indicates whether the store's certificate is not verified.</summary>
    public bool IsInsecure { get; private init; }

    /// <summary>Gets whether uploads without --checksum get a checksum that no operation requires; null for the default, which is that they do.</summary>
    public RequestChecksumCalculation? RequestChecksums { get; private init; }

    /// <summary>Gets whether downloads request the checksum that the store has; null for the default, which is that they do.</summary>
    public ResponseChecksumValidation? ResponseChecksums { get; private init; }

    /// <summary>Gets a value that indicates whether the network can read the requests: they are sent over plain HTTP to another machine.</summary>
    public bool IsInTheClear => Endpoint is { IsLoopback: false } endpoint && endpoint.Scheme == Uri.UriSchemeHttp;

    /// <summary>Gets the name of the store in messages.</summary>
    public string StoreName => Endpoint?.ToString() ?? $"Amazon S3 in {Region}";

    /// <summary>Gets what is connected to and where the credentials come from, in messages. It contains no part of them.</summary>
    public string Description => $"{(Endpoint is null ? StoreName : $"{StoreName} in {Region}")}, with {CredentialsName}";

    /// <summary>Gets where the credentials come from, in messages. It contains no part of them.</summary>
    public string CredentialsName => this switch
    {
        { ObjectUrl: not null } => "a URL",
        { IsAnonymous: true } => "no credentials",
        { Keys: { } keys } => keys.Source,
        { Profile: { } profile } => $"the credentials of profile '{profile}'",
        _ => "the default credentials",
    };

    /// <param name="values">The command line and the environment.</param>
    /// <param name="options">The options of the only store, or of both stores.</param>
    /// <param name="findProfile">Reads a profile from the configuration files; returns null if there is none.</param>
    /// <param name="keys">The keys on the command line; null for none.</param>
    /// <param name="side">The options of one of two stores; null if the command uses one store.</param>
    public static ConnectionSettings Resolve(
        OptionValues values, ConnectionOptions options, Func<string, ProfileValues?> findProfile, AccessKeys? keys = null, ConnectionOptions? side = null)
    {
        if (keys is not null && (values.IsOnLine(options.Profile) || values.IsOnLine(options.NoSignRequest)))
        {
            throw new UsageException($"access keys can't be combined with {options.Profile.Name} or {options.NoSignRequest.Name}; each selects the credentials");
        }

        ConnectionLine line = new(values, options, side);
        (GivenValue? ownProfile, GivenValue? profileName) = (line.OwnProfile, line.Profile);
        ProfileValues? profile = findProfile(profileName?.Text ?? DefaultProfile);
        if (profile is null && profileName is not null)
        {
            throw OptionValues.Wrong(profileName, "a profile in ~/.aws/config or ~/.aws/credentials, but there is no such profile");
        }

        GivenValue? profileEndpoint = profile?.EndpointUrl is { Length: > 0 } url ? new GivenValue($"endpoint_url of profile {profileName?.Text ?? DefaultProfile}", url) : null;
        GivenValue? endpoint = line.EndpointUrl;
        if (endpoint is null && !values.Environment.IsOn("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"))
        {
            endpoint = (ownProfile is null ? null : profileEndpoint) ?? line.EndpointUrlOfEnvironment ?? profileEndpoint;
        }

        Uri? address = endpoint is null
            ? null
            : TryParseEndpoint(endpoint.Text, out Uri parsed) ? parsed
            : throw OptionValues.Wrong(
                endpoint with { Text = AddressText.WithoutSecrets(endpoint.Text) },
                "a URL that begins with http:// or https:// and has no user name or query, such as http://127.0.0.1:9000");
        string? region = line.Region
            ?? (ownProfile is null ? null : profile?.Region)
            ?? line.RegionOfEnvironment
            ?? profile?.Region
            ?? (address is null ? null : DefaultRegion);
        if (region is null)
        {
            throw new UsageException("no region is configured; specify --region, AWS_REGION, or a profile with a region, or --endpoint-url for another store");
        }

        GivenValue? profileBundle = profile?.CaBundle is { } file ? new GivenValue($"ca_bundle of profile {profileName?.Text ?? DefaultProfile}", file) : null;
        (bool isInsecure, GivenValue? caBundle) = line.Trust(address, profileBundle);
        bool isAnonymous = line.NoSignRequest && keys is null;
        return new ConnectionSettings
        {
            Endpoint = address,
            Region = region,
            Profile = profileName?.Text,
            IsProfileExplicit = line.IsProfileOnLine,
            PathStyle = line.PathStyle ?? address is not null,
            IsAnonymous = isAnonymous,
            Environment = values.Environment,
            Keys = keys ?? (line.IsProfileOnLine || isAnonymous ? null : AccessKeys.Find(values.Environment)),
            BucketOwner = line.BucketOwner is not { } owner ? null : AccountId.IsValid(owner.Text) ? owner.Text : throw OptionValues.Wrong(owner, AccountId.Accepted),
            CaBundle = caBundle,
            IsInsecure = isInsecure,
            RetryFor = GetRetryFor(values, options),
            RequestChecksums = Checksums<RequestChecksumCalculation>(values, "AWS_REQUEST_CHECKSUM_CALCULATION") ?? profile?.RequestChecksums,
            ResponseChecksums = Checksums<ResponseChecksumValidation>(values, "AWS_RESPONSE_CHECKSUM_VALIDATION") ?? profile?.ResponseChecksums,
        };
    }

    /// <summary>Reads the settings for the source of a copy that is a URL. They have no credentials, because a presigned URL contains its permission.</summary>
    public static ConnectionSettings OfUrl(Uri url, OptionValues values, ConnectionOptions options)
    {
        Uri origin = new($"{url.Scheme}://{url.Authority}");
        (bool isInsecure, GivenValue? caBundle) = new ConnectionLine(values, options, null).Trust(origin);
        return new ConnectionSettings
        {
            Endpoint = origin,
            ObjectUrl = url,
            Region = DefaultRegion,
            PathStyle = true,
            IsAnonymous = true,
            Environment = values.Environment,
            CaBundle = caBundle,
            IsInsecure = isInsecure,
            RetryFor = GetRetryFor(values, options),
        };
    }

    private static TimeSpan? GetRetryFor(OptionValues values, ConnectionOptions options) => values.Read<TimeSpan>(
        options.RetryFor,
        static (string text, out TimeSpan time) => DurationText.TryParseWithSeconds(text, out time) && time >= TimeSpan.Zero && time <= TimeSpan.FromDays(1),
        $"a time from 0 to 1d: {DurationText.AcceptedWithSeconds}");

    private static T? Checksums<T>(OptionValues values, string variable)
        where T : struct, Enum
        => values.Environment.Get(variable) is { } text
            ? Enum.TryParse(text, ignoreCase: true, out T value) && Enum.IsDefined(value) && !char.IsAsciiDigit(text[0])
                ? value
                : throw OptionValues.Wrong(new GivenValue(variable, text), "when_supported or when_required")
            : null;

    private static bool TryParseEndpoint(string text, out Uri endpoint)
        => Uri.TryCreate(text.Trim(), UriKind.Absolute, out endpoint!)
            && (endpoint.Scheme == Uri.UriSchemeHttp || endpoint.Scheme == Uri.UriSchemeHttps)
            && endpoint.UserInfo.Length == 0
            && endpoint.Query.Length == 0
            && endpoint.Host.Length > 0;
}
