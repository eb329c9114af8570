using System.Runtime.CompilerServices;
using Amazon.Runtime;
using Amazon.S3;

namespace Transfer.Wire.Http;

/// <summary>The credentials that an SDK client signs with, resolved as it resolves them: given to it, in its configuration, or found.</summary>
internal sealed class StoreCredentials(AmazonS3Client s3)
{
    private AWSCredentials? _credentials;

    /// <summary>The credentials to sign the next request with; null where requests are not signed.</summary>
    public async ValueTask<ImmutableCredentials?> GetAsync()
    {
        AWSCredentials credentials = _credentials ??= Explicit(s3)
            ?? s3.Config.DefaultAWSCredentials
            ?? (AWSCredentials)await s3.Config.IdentityResolverConfiguration.GetIdentityResolver<AWSCredentials>().ResolveIdentityAsync(s3.Config).ConfigureAwait(false);
        return credentials is AnonymousAWSCredentials ? null : await credentials.GetCredentialsAsync().ConfigureAwait(false);
    }

    /// <summary>The store says that they have expired: those that can be renewed are, before the next request.</summary>
    public bool TryRenew()
    {
        if (_credentials is RefreshingAWSCredentials refreshing)
        {
            refreshing.ClearCredentials();
            return true;
        }

        return false;
    }

    // What was passed to the client's constructor is not in its configuration, and this is the only way to it that is not a request.
    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_ExplicitAWSCredentials")]
    private static extern AWSCredentials? Explicit(AmazonServiceClient client);
}
