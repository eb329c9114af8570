using Amazon;
using Amazon.Runtime;
using Amazon.S3;

namespace Transfer.S3.Aspire;

/// <summary>Creates the client of the AWS SDK for a connection.</summary>
internal static class StoreConnection
{
    private const string DefaultRegion = "us-east-1";

    /// <exception cref="InvalidOperationException">Thrown when the settings don't say which store to use.</exception>
    public static IAmazonS3 Create(string name, TransferClientSettings settings)
    {
        if ((settings.AccessKeyId is null) != (settings.SecretAccessKey is null))
        {
            throw new InvalidOperationException(
                $"The connection '{name}' has {(settings.AccessKeyId is null ? "a secret access key without an access key ID" : "an access key ID without a secret access key")}. Set both, or none to use the credentials of the AWS SDK.");
        }

        AmazonS3Config config = new();
        if (settings.Endpoint is { } endpoint)
        {
            config.ServiceURL = endpoint.ToString();
            config.AuthenticationRegion = settings.Region ?? DefaultRegion;
        }
        else if (settings.Region is { } region)
        {
            config.RegionEndpoint = RegionEndpoint.GetBySystemName(region);
        }

        config.ForcePathStyle = settings.ForcePathStyle ?? settings.Endpoint is not null;
        try
        {
            return settings.AccessKeyId is null ? new AmazonS3Client(config) : new AmazonS3Client(new BasicAWSCredentials(settings.AccessKeyId, settings.SecretAccessKey), config);
        }
        catch (AmazonClientException e)
        {
            throw new InvalidOperationException(
                $"There is no store for the connection '{name}': {e.Message} Set ConnectionStrings:{name}, for example with WithReference in the AppHost, or {nameof(TransferClientSettings.Endpoint)} or {nameof(TransferClientSettings.Region)} in the section {AspireTransferNames.Section}.",
                e);
        }
    }
}
