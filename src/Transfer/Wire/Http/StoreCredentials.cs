using System.Runtime.CompilerServices;
using Amazon.Runtime;
using Amazon.S3;

namespace Transfer.Wire.Http;

/// <summary>Gets the credentials of an SDK client as the client does: from its constructor, from its configuration, or from the SDK's default chain.</summary>
/// <remarks>
/// Credential providers don't take a cancellation token, and some call a service that may never respond. So every wait for one uses the caller's token.
/// </remarks>
internal sealed class StoreCredentials(AmazonS3Client s3)
{
    private readonly Lock _gate = new();
    private AWSCredentials? _credentials;
    private ImmutableCredentials? _expired;
    private Task _cleared = Task.CompletedTask;

    /// <summary>Gets the credentials for the next request; null if requests aren't signed.</summary>
    public async ValueTask<ImmutableCredentials?> GetAsync(CancellationToken cancellationToken)
    {
        AWSCredentials credentials = _credentials ??= Explicit(s3)
            ?? s3.Config.DefaultAWSCredentials
            ?? await LateResults.WaitAsync(Task.Run(FindAsync, CancellationToken.None), cancellationToken).ConfigureAwait(false);
        if (credentials is AnonymousAWSCredentials)
        {
            return null;
        }

        // The SDK's providers wait asynchronously. Other providers can block the calling thread, so they run on the thread pool.
        Task<ImmutableCredentials> asked = credentials is RefreshingAWSCredentials || credentials.GetType().Assembly == typeof(AWSCredentials).Assembly
            ? credentials.GetCredentialsAsync()
            : Task.Run(credentials.GetCredentialsAsync, CancellationToken.None);
        return await LateResults.WaitAsync(asked, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Renews credentials that have expired according to the store, if their provider supports it. All requests that were in flight with them share one renewal.
    /// </summary>
    /// <returns><c>true</c> if there are other credentials now; otherwise, <c>false</c>.</returns>
    public async ValueTask<bool> TryRenewAsync(ImmutableCredentials expired, CancellationToken cancellationToken)
    {
        TaskCompletionSource? clearing = null;
        Task cleared;
        lock (_gate)
        {
            if (!AreSame(_expired, expired))
            {
                clearing = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                (_expired, _cleared) = (expired, clearing.Task);
            }

            cleared = _cleared;
        }

        if (clearing is not null)
        {
            try
            {
                (_credentials as RefreshingAWSCredentials)?.ClearCredentials();
            }
            finally
            {
                clearing.SetResult();
            }
        }

        // The provider returns the expired credentials until they are cleared.
        await cleared.WaitAsync(cancellationToken).ConfigureAwait(false);
        return !AreSame(await GetAsync(cancellationToken).ConfigureAwait(false), expired);
    }

    private async Task<AWSCredentials> FindAsync()
        => (AWSCredentials)await s3.Config.IdentityResolverConfiguration.GetIdentityResolver<AWSCredentials>().ResolveIdentityAsync(s3.Config).ConfigureAwait(false);

    private static bool AreSame(ImmutableCredentials? one, ImmutableCredentials? other)
        => one?.AccessKey == other?.AccessKey && one?.SecretKey == other?.SecretKey && one?.Token == other?.Token;

    // Credentials from the client's constructor aren't in its configuration. This is the only way to get them without a request.
    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_ExplicitAWSCredentials")]
    private static extern AWSCredentials? Explicit(AmazonServiceClient client);
}
