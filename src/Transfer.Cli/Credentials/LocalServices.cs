using Amazon.Runtime;
using Amazon.Util;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Credentials;

/// <summary>Gets credentials from the environment, the container, or the instance that the tool runs in.</summary>
internal sealed class LocalServices(ToolEnvironment environment, TimeProvider time)
{
    private const string ContainerPath = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
    private const string ContainerUrl = "AWS_CONTAINER_CREDENTIALS_FULL_URI";

    // The metadata service returns expired credentials while it can't renew them, and the store may still accept them.
    private static readonly TimeSpan Extension = TimeSpan.FromMinutes(5);

    public bool HasContainer => environment.Get(ContainerPath) is not null || environment.Get(ContainerUrl) is not null;

    /// <summary>Gets the credentials that credential_source names; null if there is no such source.</summary>
    public ResolvedCredentials? Find(string credentialSource) => credentialSource.ToUpperInvariant() switch
    {
        "ENVIRONMENT" => AccessKeys.Find(environment) is { } keys
            ? new ResolvedCredentials(keys.ToCredentials(), keys.Source)
            : throw new UsageException("credential_source is Environment, but AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set"),
        "ECSCONTAINER" => HasContainer
            ? OfContainer()
            : throw new UsageException($"credential_source is EcsContainer, but neither {ContainerPath} nor {ContainerUrl} is set"),
        "EC2INSTANCEMETADATA" => OfInstance(),
        _ => null,
    };

    public ResolvedCredentials OfContainer()
    {
        try
        {
            return new ResolvedCredentials(SdkCredentials.Renew(new GenericContainerCredentials(), null, time), "the credentials of the container");
        }
        catch (ArgumentException e)
        {
            throw new UsageException($"the container's credentials can't be used: {e.Message}", e);
        }
    }

    public ResolvedCredentials OfInstance() => new(new RenewedCredentials(GetFromInstanceAsync, time), "the instance metadata service");

    private async Task<RefreshingAWSCredentials.CredentialsRefreshState> GetFromInstanceAsync()
    {
        IDictionary<string, IAMSecurityCredentialMetadata>? roles;
        try
        {
            roles = EC2InstanceMetadata.IsIMDSEnabled ? await EC2InstanceMetadata.GetIAMSecurityCredentialsAsync().ConfigureAwait(false) : null;
        }
        catch (Exception e) when (e is AmazonClientException or InvalidOperationException or HttpRequestException or IOException)
        {
            throw new CredentialException($"the instance metadata service returned no credentials: {e.Message}", e);
        }

        if (roles?.Values.FirstOrDefault() is not { AccessKeyId.Length: > 0 } keys)
        {
            throw new CredentialException("the instance metadata service returned no credentials");
        }

        DateTime earliest = (time.GetUtcNow() + Extension).UtcDateTime;
        DateTime expiration = keys.Expiration.ToUniversalTime();
        return new RefreshingAWSCredentials.CredentialsRefreshState(
            new ImmutableCredentials(keys.AccessKeyId, keys.SecretAccessKey, keys.Token), expiration > time.GetUtcNow().UtcDateTime ? expiration : earliest);
    }
}
