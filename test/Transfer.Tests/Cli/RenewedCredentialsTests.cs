using Amazon.Runtime;
using Transfer.S3.Cli.Credentials;

namespace Transfer.S3.Tests.Cli;

/// <summary>Temporary credentials, with a clock that the test advances.</summary>
public sealed class RenewedCredentialsTests
{
    private readonly FakeTimeProvider _time = new();
    private int _fetches;

    [Theory]
    [InlineData(3)]
    [InlineData(60)]
    [InlineData(900)]
    [InlineData(3600)]
    public async Task Get_DuringManyLifetimes_ReturnsValidKeysAndSharesRenewals(int lifetime)
    {
        using RenewedCredentials credentials = new(() => Task.FromResult(Issue(lifetime)), _time);
        TimeSpan step = TimeSpan.FromSeconds(lifetime / 30.0);
        const int lifetimes = 20;
        for (int number = 0; number < 30 * lifetimes; number++)
        {
            ImmutableCredentials[] keys = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(credentials.GetCredentialsAsync))).Within();

            Assert.All(keys, each => Assert.True(_time.GetUtcNow() < ExpirationOf(each)));
            _time.Advance(step);
        }

        // No renewal in the first third of a lifetime, and one in each.
        Assert.InRange(_fetches, lifetimes, 3 * lifetimes);
    }

    [Fact]
    public async Task Get_RenewalIsSlow_ReturnsTheOldKeysUntilTheyExpire()
    {
        TaskCompletionSource<RefreshingAWSCredentials.CredentialsRefreshState> renewal = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using RenewedCredentials credentials = new(() => Interlocked.Increment(ref _fetches) == 1 ? Task.FromResult(Keys(60)) : renewal.Task, _time);
        ImmutableCredentials old = await credentials.GetCredentialsAsync().Within();

        _time.Advance(TimeSpan.FromSeconds(50)); // in the window, not expired
        for (int number = 0; number < 10; number++)
        {
            Assert.Equal(old, await credentials.GetCredentialsAsync().Within());
        }

        _time.Advance(TimeSpan.FromSeconds(20));
        Task<ImmutableCredentials>[] waiting = [.. Enumerable.Range(0, 8).Select(_ => credentials.GetCredentialsAsync())];
        Assert.All(waiting, static task => Assert.False(task.IsCompleted));
        RefreshingAWSCredentials.CredentialsRefreshState renewed = Keys(60);
        renewal.SetResult(renewed);

        Assert.All(await Task.WhenAll(waiting).Within(), keys => Assert.Equal(renewed.Credentials, keys));
        Assert.Equal(2, _fetches);
    }

    [Fact]
    public async Task Get_RenewalFails_ReturnsTheOldKeysAndTriesAgainLater()
    {
        using SemaphoreSlim failed = new(0);
        using RenewedCredentials credentials = new(
            () =>
            {
                if (Interlocked.Increment(ref _fetches) == 1)
                {
                    return Task.FromResult(Keys(3600));
                }

                failed.Release();
                return Task.FromException<RefreshingAWSCredentials.CredentialsRefreshState>(new CredentialException("no"));
            },
            _time);
        ImmutableCredentials old = await credentials.GetCredentialsAsync().Within();
        _time.Advance(TimeSpan.FromMinutes(50));

        for (int attempt = 2; attempt < 5; attempt++)
        {
            // A call starts the attempt in the background, as soon as the pause after the last one is over.
            do
            {
                Assert.Equal(old, await credentials.GetCredentialsAsync().Within());
                _time.Advance(TimeSpan.FromSeconds(0.1));
            }
            while (!await failed.WaitAsync(TimeSpan.FromMilliseconds(10)));

            // The clock stands still, so one attempt is all there is.
            for (int number = 0; number < 100; number++)
            {
                Assert.Equal(old, await credentials.GetCredentialsAsync().Within());
            }

            Assert.Equal(attempt, _fetches);
            _time.Advance(TimeSpan.FromSeconds(31));
        }

        _time.Advance(TimeSpan.FromMinutes(20));
        CredentialException error = await Assert.ThrowsAsync<CredentialException>(() => credentials.GetCredentialsAsync().Within());
        Assert.Equal("no", error.Message);
    }

    [Fact]
    public async Task Get_FirstRequestFails_AllCallersShareTheFailure()
    {
        using RenewedCredentials credentials = new(
            () =>
            {
                Interlocked.Increment(ref _fetches);
                return Task.FromException<RefreshingAWSCredentials.CredentialsRefreshState>(new CredentialException("no"));
            },
            _time);

        Task<ImmutableCredentials>[] asked = [.. Enumerable.Range(0, 8).Select(_ => credentials.GetCredentialsAsync())];

        foreach (Task<ImmutableCredentials> each in asked)
        {
            await Assert.ThrowsAsync<CredentialException>(() => each.Within());
        }

        Assert.Equal(1, _fetches);
    }

    [Fact]
    public async Task Get_AfterTheStoreRejectedTheKeys_RequestsNewOnes()
    {
        using RenewedCredentials credentials = new(() => Task.FromResult(Issue(3600)), _time);
        ImmutableCredentials old = await credentials.GetCredentialsAsync().Within();

        credentials.ClearCredentials();

        Assert.NotEqual(old, await credentials.GetCredentialsAsync().Within());
        Assert.Equal(_time.GetUtcNow().AddHours(1), credentials.Expires);
    }

    /// <summary>A session with an MFA code, for example, can't be got again.</summary>
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 59.5)] // the SDK doesn't use them in the last part of their lifetime
    public async Task Get_RenewalFails_ReturnsTheOldKeysAsLongAsTheyAreValid(bool isCleared, double minutes)
    {
        using RenewedCredentials credentials = new(
            () => Interlocked.Increment(ref _fetches) == 1 ? Task.FromResult(Keys(3600)) : Task.FromException<RefreshingAWSCredentials.CredentialsRefreshState>(new CredentialException("no")),
            _time);
        ImmutableCredentials old = await credentials.GetCredentialsAsync().Within();
        _time.Advance(TimeSpan.FromMinutes(minutes));
        if (isCleared)
        {
            credentials.ClearCredentials();
        }

        Assert.Equal(old, await credentials.GetCredentialsAsync().Within());

        Assert.Equal(2, _fetches);
        _time.Advance(TimeSpan.FromMinutes(60 - minutes));
        await Assert.ThrowsAsync<CredentialException>(() => credentials.GetCredentialsAsync().Within());
    }

    [Fact]
    public async Task Get_KeysThatNeverExpire_AreRequestedOnce()
    {
        using RenewedCredentials credentials = new(
            () => Task.FromResult(new RefreshingAWSCredentials.CredentialsRefreshState(Issue(1).Credentials, DateTime.MaxValue)), _time);

        await credentials.GetCredentialsAsync().Within();
        _time.Advance(TimeSpan.FromDays(365));
        ImmutableCredentials keys = credentials.GetCredentials();

        Assert.EachEqual(("key-1", 1, null), (keys.AccessKey, _fetches, credentials.Expires));
    }

    private RefreshingAWSCredentials.CredentialsRefreshState Issue(int lifetime)
    {
        Interlocked.Increment(ref _fetches);
        return Keys(lifetime);
    }

    private RefreshingAWSCredentials.CredentialsRefreshState Keys(int lifetime)
    {
        DateTimeOffset expiration = _time.GetUtcNow().AddSeconds(lifetime);
        return new RefreshingAWSCredentials.CredentialsRefreshState(new ImmutableCredentials($"key-{_fetches}", $"{expiration.Ticks}", "token"), expiration.UtcDateTime);
    }

    private static DateTimeOffset ExpirationOf(ImmutableCredentials keys) => new(long.Parse(keys.SecretKey, System.Globalization.CultureInfo.InvariantCulture), TimeSpan.Zero);
}
