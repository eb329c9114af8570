using Amazon;
using Amazon.Runtime;
using Amazon.Runtime.CredentialManagement;
using Amazon.SecurityToken;
using Amazon.SecurityToken.Model;
using Transfer.S3.Cli.Connections;

namespace Transfer.S3.Cli.Credentials;

/// <summary>Sends requests to the AWS Security Token Service, or to the one of another store.</summary>
/// <remarks>
/// The SDK's own sources of roles use the region and the endpoint of the profile in AWS_PROFILE, whichever profile the role belongs to. Their assembly is only
/// loaded for roles, so nothing else refers to its types.
/// </remarks>
/// <param name="settings">The region, and the certificates to trust.</param>
/// <param name="profile">The profile that can contain the endpoint; null for none.</param>
internal sealed class StsClient(ConnectionSettings settings, string? profile)
{
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(10);

    /// <summary>Gets a value that indicates whether the environment or the profile sets an endpoint of the token service itself, not only one of all services.</summary>
    public bool HasOwnEndpoint
    {
        get
        {
            if (Configure().ServiceURL is not { } configured || settings.Environment.IsOn("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"))
            {
                return false;
            }

            string? general = settings.Environment.Get("AWS_ENDPOINT_URL") ?? ProfileEndpoint();
            return settings.Environment.Get("AWS_ENDPOINT_URL_STS") is not null || general is null || !IsSame(configured, general);
        }
    }

    /// <exception cref="AmazonServiceException">Thrown when the role can't be assumed.</exception>
    public async Task<RefreshingAWSCredentials.CredentialsRefreshState> AssumeRoleAsync(AWSCredentials source, AssumeRoleRequest request)
    {
        using AmazonSecurityTokenServiceClient sts = new(source, Configure());
        AssumeRoleResponse response = await sts.AssumeRoleAsync(request).ConfigureAwait(false);
        return GetState(response.Credentials, response.AssumedRoleUser);
    }

    /// <exception cref="AmazonServiceException">Thrown when the role can't be assumed.</exception>
    public async Task<RefreshingAWSCredentials.CredentialsRefreshState> AssumeRoleAsync(AssumeRoleWithWebIdentityRequest request)
    {
        using AmazonSecurityTokenServiceClient sts = new(new AnonymousAWSCredentials(), Configure());
        AssumeRoleWithWebIdentityResponse response = await sts.AssumeRoleWithWebIdentityAsync(request).ConfigureAwait(false);
        return GetState(response.Credentials, response.AssumedRoleUser);
    }

    /// <summary>Gets the account and the ARN that credentials belong to.</summary>
    /// <exception cref="AmazonServiceException">Thrown when the service rejects the credentials, or doesn't respond.</exception>
    public async Task<(string? Account, string? Arn)> GetCallerAsync(AWSCredentials credentials, CancellationToken cancellationToken)
    {
        using AmazonSecurityTokenServiceClient sts = new(credentials, Configure());
        GetCallerIdentityResponse caller = await sts.GetCallerIdentityAsync(new GetCallerIdentityRequest(), cancellationToken).ConfigureAwait(false);
        return (caller.Account, caller.Arn);
    }

    private static RefreshingAWSCredentials.CredentialsRefreshState GetState(Amazon.SecurityToken.Model.Credentials keys, AssumedRoleUser? user)
    {
        string? account = user?.Arn is { } arn && Arn.TryParse(arn, out Arn parsed) ? parsed.AccountId : null;
        return new RefreshingAWSCredentials.CredentialsRefreshState(
            new ImmutableCredentials(keys.AccessKeyId, keys.SecretAccessKey, keys.SessionToken, account), keys.Expiration ?? DateTime.MaxValue);
    }

    private static bool IsSame(string a, string b) => a.TrimEnd('/').Equals(b.TrimEnd('/'), StringComparison.OrdinalIgnoreCase);

    private string? ProfileEndpoint()
        => new CredentialProfileStoreChain().TryGetProfile(profile ?? "default", out CredentialProfile found) ? found.EndpointUrl : null;

    private AmazonSecurityTokenServiceConfig Configure()
    {
        AmazonSecurityTokenServiceConfig config = new()
        {
            RegionEndpoint = RegionEndpoint.GetBySystemName(settings.Region),
            AuthenticationRegion = settings.Region,
            RetryMode = RequestRetryMode.Standard,
            ConnectTimeout = ConnectTimeout,
        };
        if (profile is not null)
        {
            config.Profile = new Profile(profile);
        }

        // --insecure is about the store only.
        if (!settings.IsInsecure && TlsHttpClientFactory.For(settings) is { } factory)
        {
            config.HttpClientFactory = factory;
        }

        return config;
    }
}
