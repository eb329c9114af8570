using Amazon.Runtime;
using Amazon.S3;

namespace Transfer.S3.Wire.Http;

/// <summary>Gets the credentials of an SDK client as the client does: from its constructor, from its configuration, or from the SDK's default chain.</summary>
/// <remarks>
/// Credential providers don't take a cancellation token, and some call a service that may never respond. So every wait for one uses the caller's token.
/// Credentials are never cleared, because a session can be impossible to get again: it can need a person, or a service that has failed for a moment.
/// </remarks>
internal sealed class StoreCredentials(AmazonS3Client s3, TimeProvider time)
{
    /// <summary>The time between two renewals that a store causes. Credentials live for 15 minutes or longer (AWS STS API Reference, "AssumeRole").</summary>
    private static readonly TimeSpan RenewalPause = TimeSpan.FromMinutes(1);

    /// <summary>The remaining lifetime with which credentials are certainly valid, whatever the clocks.</summary>
    private static readonly TimeSpan SurelyValid = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private readonly ProviderPause _afterFailure = new(time);
    private readonly ProviderPause _afterRenewal = new(time);
    private AWSCredentials? _credentials;
    private Task<ImmutableCredentials?>? _asked;
    private Task<bool>? _renewal;

    /// <summary>Gets the credentials for the next request; null if requests aren't signed.</summary>
    /// <exception cref="WireException">Thrown when their provider fails.</exception>
    public ValueTask<ImmutableCredentials?> GetAsync(CancellationToken cancellationToken)
    {
        Task<ImmutableCredentials?> asked;
        if (Volatile.Read(ref _asked) is { IsCompleted: false } shared)
        {
            asked = shared;
        }
        else if (_afterFailure.IsOver(out Exception? failure))
        {
            AWSCredentials? credentials = _credentials ??= SdkMembers.GetCredentials(s3) ?? s3.Config.DefaultAWSCredentials;
            if (credentials is AnonymousAWSCredentials)
            {
                return default;
            }

            // The SDK's providers wait asynchronously. Other providers can block the calling thread, so they run on the thread pool.
            if (credentials is RefreshingAWSCredentials || credentials?.GetType().Assembly == typeof(AWSCredentials).Assembly)
            {
                Task<ImmutableCredentials> ready = credentials.GetCredentialsAsync();
                if (ready.IsCompletedSuccessfully)
                {
                    return new ValueTask<ImmutableCredentials?>(ready.Result);
                }

                Task<ImmutableCredentials> pending = ready; // captured here, so that credentials that are ready need no closure
                asked = WatchAsync(() => pending);
                Volatile.Write(ref _asked, asked);
            }
            else
            {
                // Not shared, because another call of such a provider can succeed although this one hangs.
                asked = Task.Run(() => WatchAsync(AskAsync), CancellationToken.None);
            }
        }
        else
        {
            return ValueTask.FromException<ImmutableCredentials?>(Failure(failure!));
        }

        return new ValueTask<ImmutableCredentials?>(WaitAsync(asked, cancellationToken));
    }

    /// <summary>
    /// Renews credentials that the store may have rejected as expired, if their provider supports it. New ones are fetched beside the old ones and replace them. If
    /// the provider fails, the old ones stay. All requests share one renewal at a time, and renewals don't follow each other at once.
    /// </summary>
    /// <param name="rejected">The credentials of the request.</param>
    /// <param name="isProven">Whether the store said that they have expired. Otherwise, they are renewed only if they can have expired by their own expiration time.</param>
    /// <param name="storeTime">The time of the store.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation of the wait.</param>
    /// <returns><c>true</c> if there are other credentials now; otherwise, <c>false</c>.</returns>
    /// <exception cref="WireException">Thrown when the provider fails, and the credentials have certainly expired.</exception>
    public async ValueTask<bool> TryRenewAsync(ImmutableCredentials rejected, bool isProven, DateTimeOffset storeTime, CancellationToken cancellationToken)
    {
        if (!AreSame(await GetAsync(cancellationToken).ConfigureAwait(false), rejected))
        {
            return true;
        }

        if (_credentials is not RefreshingAWSCredentials provider || (!isProven && provider.Expiration is { } expiration && IsValid(expiration, storeTime)))
        {
            return false;
        }

        // During the pause, the last renewal answers: it can have ended after the credentials were compared above.
        Task<bool> renewal;
        lock (_gate)
        {
            if (_renewal is null || (_renewal.IsCompleted && _afterRenewal.IsOver(out _)))
            {
                _renewal = Task.Run(() => RenewAsync(provider), CancellationToken.None);
            }

            renewal = _renewal;
        }

        try
        {
            return await LateResults.WaitAsync(renewal, cancellationToken).ConfigureAwait(false) && !AreSame(await GetAsync(cancellationToken).ConfigureAwait(false), rejected);
        }
        catch (Exception e) when (e is not WireException && !cancellationToken.IsCancellationRequested)
        {
            return isProven ? throw Failure(e) : false;
        }
    }

    private async Task<bool> RenewAsync(RefreshingAWSCredentials provider)
    {
        try
        {
            if (await SdkMembers.TryGenerateCredentialsAsync(provider).ConfigureAwait(false) is not { } renewed)
            {
                return false;
            }

            if (renewed.Expiration.ToUniversalTime() <= time.GetUtcNow().UtcDateTime)
            {
                throw new AmazonClientException("The new credentials have already expired.");
            }

            renewed.Expiration -= provider.ExpirationBuffer;
            SdkMembers.SetCredentials(provider, renewed);
            _afterRenewal.Succeeded(RenewalPause);
            return true;
        }
        catch (Exception e)
        {
            _afterRenewal.Failed(e);
            throw;
        }
    }

    private async Task<ImmutableCredentials?> AskAsync()
    {
        AWSCredentials credentials = _credentials ??= (AWSCredentials)await s3.Config.IdentityResolverConfiguration
            .GetIdentityResolver<AWSCredentials>().ResolveIdentityAsync(s3.Config).ConfigureAwait(false);
        return credentials is AnonymousAWSCredentials ? null : await credentials.GetCredentialsAsync().ConfigureAwait(false);
    }

    private async Task<ImmutableCredentials?> WatchAsync<T>(Func<Task<T>> askAsync)
        where T : ImmutableCredentials?
    {
        try
        {
            ImmutableCredentials? credentials = await askAsync().ConfigureAwait(false);
            _afterFailure.Succeeded();
            return credentials;
        }
        catch (Exception e)
        {
            _afterFailure.Failed(e);
            throw;
        }
    }

    /// <summary>Waits for credentials that several requests may wait for. Each gets an exception of its own, because it counts the attempts of the request.</summary>
    private static async Task<ImmutableCredentials?> WaitAsync(Task<ImmutableCredentials?> asked, CancellationToken cancellationToken)
    {
        try
        {
            return await LateResults.WaitAsync(asked, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (!cancellationToken.IsCancellationRequested)
        {
            throw Failure(e);
        }
    }

    /// <summary>Returns whether credentials can't have expired. The last year of <see cref="DateTime"/> means that their expiration isn't known.</summary>
    private static bool IsValid(DateTime expiration, DateTimeOffset storeTime)
        => expiration.Year < DateTime.MaxValue.Year && expiration.ToUniversalTime() - storeTime.UtcDateTime > SurelyValid;

    private static WireException Failure(Exception e) => new(FailureKind.NoCredentials, e.Message, e);

    private static bool AreSame(ImmutableCredentials? one, ImmutableCredentials? other)
        => one?.AccessKey == other?.AccessKey && one?.SecretKey == other?.SecretKey && one?.Token == other?.Token;
}
