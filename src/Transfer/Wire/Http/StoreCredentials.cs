using System.Runtime.CompilerServices;
using Amazon.Runtime;
using Amazon.S3;

namespace Transfer.Wire.Http;

/// <summary>The credentials that an SDK client signs with, resolved as it resolves them: given to it, in its configuration, or found.</summary>
/// <remarks>Providers take no token, and some of them ask a service that may never answer. Every wait for one ends with the caller's token.</remarks>
internal sealed class StoreCredentials(AmazonS3Client s3)
{
    private readonly Lock _gate = new();
    private AWSCredentials? _credentials;
    private ImmutableCredentials? _expired;
    private Task _cleared = Task.CompletedTask;

    /// <summary>The credentials to sign the next request with; null where requests are not signed.</summary>
    public async ValueTask<ImmutableCredentials?> GetAsync(CancellationToken cancellationToken)
    {
        AWSCredentials credentials = _credentials ??= Explicit(s3)
            ?? s3.Config.DefaultAWSCredentials
            ?? await LateResults.WaitAsync(Task.Run(FindAsync, CancellationToken.None), cancellationToken).ConfigureAwait(false);
        if (credentials is AnonymousAWSCredentials)
        {
            return null;
        }

        // The SDK's providers are asynchronous where they wait. A provider of the caller's may block the thread that asks it.
        Task<ImmutableCredentials> asked = credentials is RefreshingAWSCredentials || credentials.GetType().Assembly == typeof(AWSCredentials).Assembly
            ? credentials.GetCredentialsAsync()
            : Task.Run(credentials.GetCredentialsAsync, CancellationToken.None);
        return await LateResults.WaitAsync(asked, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// The store says that credentials have expired. Those that can be renewed are, once for all the requests that were under way with them.
    /// </summary>
    /// <returns>Whether there are others now.</returns>
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

        // Until the expired ones are cleared, the provider answers with them.
        await cleared.WaitAsync(cancellationToken).ConfigureAwait(false);
        return !AreSame(await GetAsync(cancellationToken).ConfigureAwait(false), expired);
    }

    private async Task<AWSCredentials> FindAsync()
        => (AWSCredentials)await s3.Config.IdentityResolverConfiguration.GetIdentityResolver<AWSCredentials>().ResolveIdentityAsync(s3.Config).ConfigureAwait(false);

    private static bool AreSame(ImmutableCredentials? one, ImmutableCredentials? other)
        => one?.AccessKey == other?.AccessKey && one?.SecretKey == other?.SecretKey && one?.Token == other?.Token;

    // What was passed to the client's constructor is not in its configuration, and this is the only way to it that is not a request.
    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_ExplicitAWSCredentials")]
    private static extern AWSCredentials? Explicit(AmazonServiceClient client);
}
