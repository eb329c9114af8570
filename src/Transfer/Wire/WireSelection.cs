using Amazon.S3;
using Transfer.S3.Stores;
using Transfer.S3.Wire.Http;
using Transfer.S3.Wire.Sdk;

namespace Transfer.S3.Wire;

/// <summary>Selects the implementations that send the requests of a client.</summary>
internal static class WireSelection
{
    /// <summary>Gets the identity of a client's store: its address or its region.</summary>
    public static string GetStore(IAmazonS3 s3)
        => s3 is AmazonS3Client { Config: { } config } ? config.ServiceURL ?? config.RegionEndpoint?.SystemName ?? string.Empty : s3.GetType().FullName!; // a mock isn't a real store

    public static WireRouter Create(IAmazonS3 s3, WireSettings settings)
    {
        CheckAddress(s3);

        // A mock, a decorator, or a subclass can override every call, so all calls must use it.
        AmazonS3Client? plain = s3.GetType() == typeof(AmazonS3Client) ? (AmazonS3Client)s3 : null;
        StoreProfile profile = StoreProfile.Create(s3.Config, settings.Time, settings.Logger);
        SdkWire sdk = new(s3, settings with { ListObjectsV1 = settings.ListObjectsV1 && plain is null }, profile);
        HttpWire? own = settings.Wire switch
        {
            TransferWire.Sdk => null,
            TransferWire.Http when plain is null => throw new ArgumentException(
                $"{nameof(AdvancedOptions.Wire)} is {settings.Wire}, which requires an {nameof(AmazonS3Client)}, but the client is a {s3.GetType().FullName}.", nameof(settings)),
            _ => plain is null || !HasCredentials(plain, settings) ? null : new HttpWire(plain, settings, profile),
        };
        return new WireRouter(sdk, own, profile, KeepsSecrets(s3));
    }

    /// <summary>Returns whether the credentials of a client can be got. If they can't, the SDK sends the requests.</summary>
    /// <exception cref="NotSupportedException">Thrown when they can't, and the options require the library's own connections.</exception>
    private static bool HasCredentials(AmazonS3Client s3, WireSettings settings)
    {
        try
        {
            SdkMembers.GetCredentials(s3);
            return true;
        }
        catch (NotSupportedException e) when (settings.Wire == TransferWire.Auto)
        {
            Log.SdkMemberMissing(settings.Logger, e.Message);
            return false;
        }
    }

    // A mock without a configuration sends nothing.
    private static bool KeepsSecrets(IAmazonS3 s3) => s3.Config switch
    {
        null => true,
        { ServiceURL: { Length: > 0 } url } => Uri.TryCreate(url, UriKind.Absolute, out Uri? uri) && (uri.Scheme == Uri.UriSchemeHttps || uri.IsLoopback),
        { } config => !config.UseHttp,
    };

    /// <summary>Rejects an address with credentials or a query, because messages show the address, and neither is used.</summary>
    private static void CheckAddress(IAmazonS3 s3)
    {
        if (Uri.TryCreate(s3.Config?.ServiceURL, UriKind.Absolute, out Uri? address) && (address.UserInfo.Length > 0 || address.Query.Length > 0))
        {
            throw new ArgumentException(
                $"The client's {nameof(AmazonS3Config.ServiceURL)} has a user name or a query, which are not allowed. Set the credentials of the client instead.", nameof(s3));
        }
    }
}
