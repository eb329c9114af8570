using Amazon.Runtime;

namespace Transfer.S3.Cli.Credentials;

/// <summary>
/// Temporary credentials that are renewed before they expire. All requests share one renewal. It runs in the background while the old credentials are valid, so
/// neither a slow renewal nor a failed one affects a request. The old ones are kept until new ones replace them.
/// </summary>
/// <remarks>
/// The times of the SDK's own sources are constants for credentials that live an hour or longer. With credentials that live a minute, they would request new
/// ones for every request.
/// </remarks>
/// <param name="fetch">Gets new credentials, and when they expire.</param>
/// <param name="time">The clock.</param>
internal sealed class RenewedCredentials(Func<Task<RefreshingAWSCredentials.CredentialsRefreshState>> fetch, TimeProvider time) : RefreshingAWSCredentials(new SdkClock(time))
{
    private static readonly TimeSpan LongestWindow = TimeSpan.FromMinutes(15);
    private static readonly TimeSpan LongestBuffer = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan ShortestPause = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(30);

    private readonly Lock _gate = new();
    private Task<(ImmutableCredentials Keys, DateTime Expiration)>? _renewal;
    private (ImmutableCredentials Keys, DateTime Expiration)? _last;
    private Exception? _failure;
    private DateTimeOffset _nextAttempt;
    private TimeSpan _pause = ShortestPause;

    /// <summary>Gets when the credentials expire; null if it is not known, or never.</summary>
    public DateTimeOffset? Expires { get; private set; }

    // Presigned URLs are created without a task.
#pragma warning disable VSTHRD002 // runs on the thread pool, where nothing waits for this thread
    protected override CredentialsRefreshState GenerateNewCredentials() => Task.Run(GenerateNewCredentialsAsync).GetAwaiter().GetResult();
#pragma warning restore VSTHRD002

    // The base class calls this in the background, and also when the credentials have expired meanwhile.
    protected override async Task<CredentialsRefreshState> GenerateNewCredentialsAsync()
    {
        // One state for each caller, because the base class changes it.
        try
        {
            (ImmutableCredentials keys, DateTime expiration) = await JoinRenewalAsync().ConfigureAwait(false);
            return new CredentialsRefreshState(keys, expiration, _timeProvider);
        }
#pragma warning disable CA1031 // whatever fails, the old credentials are still valid
        catch (Exception) when (FindValid() is { } old)
#pragma warning restore CA1031
        {
            return new CredentialsRefreshState(old.Keys, old.Expiration, _timeProvider);
        }
    }

    /// <summary>
    /// Gets the old credentials if they are valid although the base class has none: in the last part of their lifetime, which it doesn't use, and after it was cleared.
    /// </summary>
    private (ImmutableCredentials Keys, DateTime Expiration)? FindValid()
    {
        DateTime now = time.GetUtcNow().UtcDateTime;
        bool isNeeded = currentState is not { } state || state.Expiration <= now;
        lock (_gate)
        {
            return isNeeded && _last is { } last && now < last.Expiration ? last : null;
        }
    }

    private Task<(ImmutableCredentials Keys, DateTime Expiration)> JoinRenewalAsync()
    {
        lock (_gate)
        {
            if (_renewal is null or { IsCompleted: true })
            {
                if (_failure is { } failure && time.GetUtcNow() < _nextAttempt)
                {
                    return Task.FromException<(ImmutableCredentials, DateTime)>(failure);
                }

                _renewal = Task.Run(RenewAsync);
            }

            return _renewal;
        }
    }

    private async Task<(ImmutableCredentials Keys, DateTime Expiration)> RenewAsync()
    {
        CredentialsRefreshState fetched;
        try
        {
            fetched = await fetch().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            lock (_gate)
            {
                _failure = e;
                _nextAttempt = time.GetUtcNow() + _pause;
            }

            throw;
        }

        bool expires = fetched.Expiration.Year < DateTime.MaxValue.Year;
        DateTime expiration = expires ? fetched.Expiration.ToUniversalTime() : DateTime.SpecifyKind(DateTime.MaxValue, DateTimeKind.Utc);
        TimeSpan lifetime = expiration - time.GetUtcNow().UtcDateTime;
        lock (_gate)
        {
            _failure = null;
            _last = (fetched.Credentials, expiration);
            Expires = expires ? new DateTimeOffset(expiration) : null;
            ExpirationBuffer = Max(TimeSpan.Zero, Min(lifetime / 10, LongestBuffer));
            PreemptExpiryTime = Max(TimeSpan.Zero, Min(lifetime / 2, LongestWindow));
            _pause = Max(ShortestPause, Min(lifetime / 60, LongestPause));
        }

        return (fetched.Credentials, expiration);
    }

    private static TimeSpan Min(TimeSpan one, TimeSpan other) => one < other ? one : other;

    private static TimeSpan Max(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
