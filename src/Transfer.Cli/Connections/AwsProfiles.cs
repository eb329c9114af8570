using Amazon.Runtime.CredentialManagement;
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
                ? new ProfileValues(profile.Region?.SystemName, profile.IgnoreConfiguredEndpointUrls == true ? null : profile.EndpointUrl)
                : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or Amazon.Runtime.AmazonClientException)
        {
            throw new UsageException($"the AWS configuration files can't be read: {e.Message}", e);
        }
    }
}
