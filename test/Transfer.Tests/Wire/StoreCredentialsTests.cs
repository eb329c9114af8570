using System.Runtime.CompilerServices;
using Amazon.Runtime;
using Amazon.S3;
using Transfer.Tests.Infrastructure;
using Transfer.Wire.Http;

namespace Transfer.Tests.Wire;

/// <summary>Credentials from a provider that is slow or never returns.</summary>
public sealed class StoreCredentialsTests
{
    [Fact]
    public async Task TryRenew_DuringClearing_WaitsForIt()
    {
        using ExpiringCredentials provider = new();
        using AmazonS3Client s3 = Client(provider);
        StoreCredentials credentials = new(s3);
        ImmutableCredentials expired = (await credentials.GetAsync(CancellationToken.None).AsTask().Within())!;
        Task<bool> first = Task.Run(() => credentials.TryRenewAsync(expired, CancellationToken.None).AsTask());
        await provider.Clearing.Within();

        Task<bool> second = credentials.TryRenewAsync(expired, CancellationToken.None).AsTask();

        Assert.False(second.IsCompleted); // the provider still has the expired credentials
        provider.LetThemBeCleared();
        Assert.True(await first.Within());
        Assert.True(await second.Within());
        Assert.Equal(2, provider.Made);
    }

    [Fact]
    public async Task TryRenew_DuringClearing_CanBeCanceled()
    {
        using ExpiringCredentials provider = new();
        using AmazonS3Client s3 = Client(provider);
        StoreCredentials credentials = new(s3);
        ImmutableCredentials expired = (await credentials.GetAsync(CancellationToken.None).AsTask().Within())!;
        Task<bool> first = Task.Run(() => credentials.TryRenewAsync(expired, CancellationToken.None).AsTask());
        await provider.Clearing.Within();
        using CancellationTokenSource cancel = new();
        Task<bool> second = credentials.TryRenewAsync(expired, cancel.Token).AsTask();

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => second.Within());
        provider.LetThemBeCleared();
        Assert.True(await first.Within());
    }

    [Fact]
    public async Task TryRenew_ClearingFails_LaterCallsDoNotWait()
    {
        using ExpiringCredentials provider = new() { ClearingError = new InvalidOperationException("no") };
        using AmazonS3Client s3 = Client(provider);
        StoreCredentials credentials = new(s3);
        ImmutableCredentials expired = (await credentials.GetAsync(CancellationToken.None).AsTask().Within())!;
        provider.LetThemBeCleared();

        await Assert.ThrowsAsync<InvalidOperationException>(() => credentials.TryRenewAsync(expired, CancellationToken.None).AsTask().Within());

        Assert.False(await credentials.TryRenewAsync(expired, CancellationToken.None).AsTask().Within());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Get_ProviderNeverReturns_CanBeCanceled(bool blocks)
    {
        using SilentCredentials provider = new(blocks);
        using AmazonS3Client s3 = Client(provider);
        using CancellationTokenSource cancel = new();
        Task<ImmutableCredentials?> asked = Task.Run(() => new StoreCredentials(s3).GetAsync(cancel.Token).AsTask());
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
        Task<ImmutableCredentials?> asked = new StoreCredentials(s3).GetAsync(cancel.Token).AsTask();
        await provider.Asked.Within();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asked.Within());
        provider.Fail(new InvalidOperationException(mark));
    }

    private static AmazonS3Client Client(AWSCredentials credentials)
        => new(credentials, new AmazonS3Config { ServiceURL = "http://localhost:9000", ForcePathStyle = true, AuthenticationRegion = "us-east-1" });

    /// <summary>Returns new credentials each time. The old ones stay until the test lets them be cleared.</summary>
    private sealed class ExpiringCredentials : RefreshingAWSCredentials
    {
        private readonly Gate _gate = new();
        private int _made;

        public Task Clearing => _gate.Reached;

        public Exception? ClearingError { get; init; }

        public int Made => Volatile.Read(ref _made);

        public void LetThemBeCleared() => _gate.Open();

        public override void ClearCredentials()
        {
            _gate.PassAsync(CancellationToken.None).Block();
            if (ClearingError is not null)
            {
                throw ClearingError;
            }

            base.ClearCredentials();
        }

        protected override Task<CredentialsRefreshState> GenerateNewCredentialsAsync()
        {
            int number = Interlocked.Increment(ref _made);
            return Task.FromResult(new CredentialsRefreshState(
                new ImmutableCredentials($"key-{number}", "secret", $"token-{number}"), new DateTime(2100, 1, 1, 0, 0, 0, DateTimeKind.Utc)));
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
