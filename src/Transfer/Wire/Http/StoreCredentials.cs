using System.Runtime.CompilerServices;
using Amazon.Runtime;
using Amazon.S3;

namespace Transfer.Wire.Http;

/// <summary>The credentials that an SDK client signs with, resolved as it resolves them: given to it, in its configuration, or found.</summary>
internal sealed class StoreCredentials(AmazonS3Client s3)
{
    private readonly Lock _gate = new();
    private AWSCredentials? _credentials;
    private ImmutableCredentials? _expired;

    /// <summary>The credentials to sign the next request with; null where requests are not signed.</summary>
    public async ValueTask<ImmutableCredentials?> GetAsync()
    {
        AWSCredentials credentials = _credentials ??= Explicit(s3)
            ?? s3.Config.DefaultAWSCredentials
            ?? (AWSCredentials)await s3.Config.IdentityResolverConfiguration.GetIdentityResolver<AWSCredentials>().ResolveIdentityAsync(s3.Config).ConfigureAwait(false);
        return credentials is AnonymousAWSCredentials ? null : await credentials.GetCredentialsAsync().ConfigureAwait(false);
    }

    /// <summary>
    /// The store says that credentials have expired. Those that can be renewed are, once for all the requests that were under way with them.
    /// </summary>
    /// <returns>Whether there are others now.</returns>
    public async ValueTask<bool> TryRenewAsync(ImmutableCredentials expired)
    {
        bool isFirst;
        lock (_gate)
        {
            isFirst = !AreSame(_expired, expired);
            _expired = expired;
        }

        if (isFirst && _credentials is RefreshingAWSCredentials refreshing)
        {
            refreshing.ClearCredentials();
        }

        return !AreSame(await GetAsync().ConfigureAwait(false), expired);
    }

    private static bool AreSame(ImmutableCredentials? one, ImmutableCredentials? other)
        => one?.AccessKey == other?.AccessKey && one?.SecretKey == other?.SecretKey && one?.Token == other?.Token;

    // What was passed to the client's constructor is not in its configuration, and this is the only way to it that is not a request.
    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_ExplicitAWSCredentials")]
    private static extern AWSCredentials? Explicit(AmazonServiceClient client);
}
