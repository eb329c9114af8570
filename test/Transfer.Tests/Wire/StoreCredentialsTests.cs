using System.Runtime.CompilerServices;
using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

/// <summary>Credentials from a provider that is slow or never returns.</summary>
public sealed class StoreCredentialsTests
{
    private readonly FakeTimeProvider _time = new();

    [Fact]
    public async Task TryRenew_OfManyRequests_SharesOneRenewalAndLeavesTheOldOnesMeanwhile()
    {
        using IssuedCredentials provider = new();
        using AmazonS3Client s3 = Client(provider);
        StoreCredentials credentials = new(s3, _time);
        ImmutableCredentials old = await GetAsync(credentials);
        Gate gate = provider.Gate = new Gate();
        Task<bool>[] renewals = [.. Enumerable.Range(0, 8).Select(_ => RenewAsync(credentials, old))];
        await gate.Reached;

        Assert.Equal(old, await GetAsync(credentials));
        using CancellationTokenSource cancel = new();
        Task<bool> canceled = RenewAsync(credentials, old, cancellationToken: cancel.Token);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => canceled);
        gate.Open();

        Assert.All(await Task.WhenAll(renewals), Assert.True);
        Assert.EachEqual(("key-2", 2, 0), ((await GetAsync(credentials)).AccessKey, provider.Made, provider.Cleared));
        Assert.True(await RenewAsync(credentials, old)); // a request that was in flight with the old ones
        Assert.Equal(2, provider.Made);
    }

    [Fact]
    public async Task TryRenew_AnotherRenewalEndsAfterTheComparison_UsesItsCredentials()
    {
        using IssuedCredentials provider = new() { Lifetime = null };
        using AmazonS3Client s3 = Client(provider);
        StoreCredentials credentials = new(s3, _time);
        ImmutableCredentials old = await GetAsync(credentials);
        provider.ReadingExpiration = () =>
        {
            provider.ReadingExpiration = null;
            Assert.True(RenewAsync(credentials, old).Block());
        };

        Assert.True(await RenewAsync(credentials, old, isProven: false));

        Assert.EachEqual(("key-2", 2), ((await GetAsync(credentials)).AccessKey, provider.Made));
    }

    [Fact]
    public async Task TryRenew_ProviderFails_OldOnesStayAndItIsAskedAgainAfterAPause()
    {
        using IssuedCredentials provider = new();
        using AmazonS3Client s3 = Client(provider);
        StoreCredentials credentials = new(s3, _time);
        ImmutableCredentials old = await GetAsync(credentials);
        provider.Error = new InvalidOperationException("a person must touch the key");

        for (int attempt = 0; attempt < 3; attempt++)
        {
            WireException e = await Assert.ThrowsAsync<WireException>(() => RenewAsync(credentials, old));
            Assert.EachEqual((FailureKind.NoCredentials, "a person must touch the key"), (e.Kind, e.Message));
            Assert.Equal(old, await GetAsync(credentials));
        }

        Assert.False(await RenewAsync(credentials, old, isProven: false));
        Assert.EachEqual((2, 0), (provider.Made, provider.Cleared));
        provider.Error = null;
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(await RenewAsync(credentials, old));
        Assert.Equal("key-3", (await GetAsync(credentials)).AccessKey);
    }

    /// <summary>A response without a code says nothing about credentials that are valid by their own expiration time.</summary>
    [Theory]
    [InlineData(7200, 0, 1)]
    [InlineData(7200, 7190, 2)] // by the clock of the store, they live 10 s
    [InlineData(null, 0, 2)]
    public async Task TryRenew_NotProven_DependsOnTheExpiration(int? lifetime, int storeIsAhead, int expected)
    {
        using IssuedCredentials provider = new() { Lifetime = lifetime is { } seconds ? TimeSpan.FromSeconds(seconds) : null };
        using AmazonS3Client s3 = Client(provider);
        StoreCredentials credentials = new(s3, _time);

        for (int number = 0; number < 60; number++)
        {
            await RenewAsync(credentials, await GetAsync(credentials), isProven: false, TimeSpan.FromSeconds(storeIsAhead));
        }

        Assert.Equal(expected, provider.Made); // at most one in a minute
    }

    [Fact]
    public async Task TryRenew_StoreRejectsAllCredentials_RenewsOnceAMinute()
    {
        using IssuedCredentials provider = new();
        using AmazonS3Client s3 = Client(provider);
        StoreCredentials credentials = new(s3, _time);

        for (int second = 0; second < 180; second++)
        {
            await RenewAsync(credentials, await GetAsync(credentials));
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal(1 + 3, provider.Made);
    }

    [Fact]
    public async Task Get_ProviderFails_RequestsShareTheFailureUntilThePauseIsOver()
    {
        using IssuedCredentials provider = new() { Error = new InvalidOperationException("no") };
        using AmazonS3Client s3 = Client(provider);
        StoreCredentials credentials = new(s3, _time);

        WireException[] failures = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Assert.ThrowsAsync<WireException>(() => GetAsync(credentials))));

        Assert.All(failures, static e => Assert.EachEqual((FailureKind.NoCredentials, "no"), (e.Kind, e.Message)));
        Assert.EachEqual((8, 1), (failures.Distinct().Count(), provider.Made));
        provider.Error = null;
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal("key-2", (await GetAsync(credentials)).AccessKey);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Get_ProviderNeverReturns_CanBeCanceled(bool blocks)
    {
        using SilentCredentials provider = new(blocks);
        using AmazonS3Client s3 = Client(provider);
        using CancellationTokenSource cancel = new();
        Task<ImmutableCredentials?> asked = Task.Run(() => new StoreCredentials(s3, TimeProvider.System).GetAsync(cancel.Token).AsTask());
        await provider.Asked.Within();

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asked.Within());
    }

    [Fact]
    public async Task Get_ProviderFailsAfterCancellation_ExceptionIsObserved()
    {
        string mark = Guid.NewGuid().ToString();
        int unobserved = 0;
        EventHandler<UnobservedTaskExceptionEventArgs> count = (_, e) => unobserved += e.Exception.ToString().Contains(mark, StringComparison.Ordinal) ? 1 : 0;
        TaskScheduler.UnobservedTaskException += count;
        try
        {
            await FailLateAsync(mark);
            GC.Collect();
            GC.WaitForPendingFinalizers();
            GC.Collect();
        }
        finally
        {
            TaskScheduler.UnobservedTaskException -= count;
        }

        Assert.Equal(0, unobserved);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task FailLateAsync(string mark)
    {
        using SilentCredentials provider = new(blocks: false);
        using AmazonS3Client s3 = Client(provider);
        using CancellationTokenSource cancel = new();
        Task<ImmutableCredentials?> asked = new StoreCredentials(s3, TimeProvider.System).GetAsync(cancel.Token).AsTask();
        await provider.Asked.Within();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asked.Within());
        provider.Fail(new InvalidOperationException(mark));
    }

    private static AmazonS3Client Client(AWSCredentials credentials)
        => new(credentials, new AmazonS3Config { ServiceURL = "http://localhost:9000", ForcePathStyle = true, AuthenticationRegion = "us-east-1" });

    private static async Task<ImmutableCredentials> GetAsync(StoreCredentials credentials) => (await credentials.GetAsync(CancellationToken.None).AsTask().Within())!;

    private static Task<bool> RenewAsync(
        StoreCredentials credentials, ImmutableCredentials rejected, bool isProven = true, TimeSpan storeIsAhead = default, CancellationToken cancellationToken = default)
        => credentials.TryRenewAsync(rejected, isProven, DateTimeOffset.UtcNow + storeIsAhead, cancellationToken).AsTask().Within();

    /// <summary>Returns new credentials each time, or fails. The SDK compares their expiration with the clock of the machine.</summary>
    private sealed class IssuedCredentials : RefreshingAWSCredentials
    {
        private int _made;

        public int Made => Volatile.Read(ref _made);

        public int Cleared { get; private set; }

        public Gate? Gate { get; set; }

        public Exception? Error { get; set; }

        /// <summary>Gets or sets what happens before the expiration is returned.</summary>
        public Action? ReadingExpiration { get; set; }

        public override DateTime? Expiration
        {
            get
            {
                ReadingExpiration?.Invoke();
                return base.Expiration;
            }
        }

        public TimeSpan? Lifetime { get; init; } = TimeSpan.FromHours(12);

        public override void ClearCredentials()
        {
            Cleared++;
            base.ClearCredentials();
        }

        protected override async Task<CredentialsRefreshState> GenerateNewCredentialsAsync()
        {
            int number = Interlocked.Increment(ref _made);
            await (Gate?.PassAsync(CancellationToken.None) ?? Task.CompletedTask);
            return Error is null
                ? new CredentialsRefreshState(new ImmutableCredentials($"key-{number}", "secret", $"token-{number}"), Lifetime is { } left ? DateTime.UtcNow + left : DateTime.MaxValue)
                : throw Error;
        }
    }

    /// <summary>Never returns credentials, or fails when the test says so. The calling thread may be blocked meanwhile.</summary>
    private sealed class SilentCredentials(bool blocks) : AWSCredentials, IDisposable
    {
        private readonly TaskCompletionSource<ImmutableCredentials> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _asked = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Asked => _asked.Task;

        public override ImmutableCredentials GetCredentials()
        {
            _asked.TrySetResult();
            return _answer.Task.Block();
        }

        public override Task<ImmutableCredentials> GetCredentialsAsync()
        {
            if (blocks)
            {
                return base.GetCredentialsAsync();
            }

            _asked.TrySetResult();
            return _answer.Task;
        }

        public void Fail(Exception error) => _answer.TrySetException(error);

        public void Dispose() => _answer.TrySetCanceled();
    }
}
