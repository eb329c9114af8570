using Amazon;
using Amazon.Runtime.CredentialManagement;
using Amazon.S3;
using Transfer.Cli.Options;

namespace Transfer.Cli.Connections;

/// <summary>Reads the shared AWS configuration and credentials files with the AWS SDK.</summary>
internal static class AwsProfiles
{
    /// <summary>Gets the values of a profile; null if there is no such profile.</summary>
    public static ProfileValues? Find(string name)
    {
        try
        {
            return new CredentialProfileStoreChain().TryGetProfile(name, out CredentialProfile profile)
                ? new ProfileValues(profile.Region?.SystemName, profile.IgnoreConfiguredEndpointUrls == true ? null : EndpointOf(profile))
                : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or Amazon.Runtime.AmazonClientException)
        {
            throw new UsageException($"the AWS configuration files can't be read: {e.Message}", e);
        }
    }

    // The SDK finds the endpoint in the services section. It also reads the environment, which the caller reads first.
    private static string? EndpointOf(CredentialProfile profile)
        => string.IsNullOrEmpty(profile.Services) ? profile.EndpointUrl : new AmazonS3Config { Profile = new Profile(profile.Name) }.ServiceURL ?? profile.EndpointUrl;
}
