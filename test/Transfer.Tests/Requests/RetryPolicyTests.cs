using System.Net;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Requests;

public sealed class RetryPolicyTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly WireException _transient = new(FailureKind.Transient, "no");
    private readonly WireException _refused = new(FailureKind.Transient, "refused") { IsOfConnecting = true };
    private readonly WireException _throttled = new(FailureKind.Throttled, "no") { StatusCode = HttpStatusCode.ServiceUnavailable, ErrorCode = "SlowDown" };

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(8)]
    public void Transient_IsRetriedUpToTheLimit(int maxAttempts)
    {
        RetryPolicy policy = New(maxAttempts);
        Attempts attempts = new();

        Assert.Equal(maxAttempts - 1, CountRetries(policy, attempts, _transient));
        Assert.Equal(maxAttempts, attempts.Total);
    }

    [Fact]
    public void Transient_AfterProgress_ResetsTheCount()
    {
        RetryPolicy policy = New(3);
        Attempts attempts = new();
        Assert.NotNull(policy.DelayAfter(_transient, attempts));
        Assert.NotNull(policy.DelayAfter(_transient, attempts));
        attempts.Progressed();

        Assert.Equal(2, CountRetries(policy, attempts, _transient));
        Assert.Equal(5, attempts.Total);
    }

    [Theory]
    [InlineData(null, 503, null, 1)]
    [InlineData("SlowDown", 503, null, null)]
    [InlineData("SlowDown", 400, null, null)]
    [InlineData(null, 503, 1, null)]
    [InlineData(null, 429, null, null)]
    public void Throttled_OnlyResponsesOfTheStoreAreNotCounted(string? code, int status, int? retryAfterSeconds, int? delays)
    {
        WireException failure = new(FailureKind.Throttled, "no")
        {
            StatusCode = (HttpStatusCode)status,
            ErrorCode = code,
            RetryAfter = retryAfterSeconds is { } seconds ? TimeSpan.FromSeconds(seconds) : null,
        };
        RetryPolicy policy = New(2);
        Attempts attempts = new();

        int count = 0;
        while (count < 100 && policy.DelayAfter(failure, attempts) is not null)
        {
            count++;
        }

        Assert.Equal(delays ?? 100, count); // the clock doesn't advance
    }

    [Fact]
    public void Throttled_DoesNotCountAsATransientFailure()
    {
        RetryPolicy policy = New(3);
        Attempts attempts = new();
        for (int i = 0; i < 10; i++)
        {
            Assert.NotNull(policy.DelayAfter(_throttled, attempts));
        }

        Assert.Equal(2, CountRetries(policy, attempts, _transient));
    }

    [Fact]
    public void Throttled_OneAttemptAllowed_IsNotRetried() => Assert.Null(New(1).DelayAfter(_throttled, new Attempts()));

    [Fact]
    public void Throttled_NothingSucceeds_FailsAfterTheTimeLimit()
    {
        RetryPolicy policy = New(2);
        Attempts attempts = new();
        policy.Succeeded();
        _time.Advance(TimeSpan.FromHours(1)); // idle time doesn't count
        Assert.NotNull(policy.DelayAfter(_throttled, attempts));
        _time.Advance((TransferDefaults.ThrottleTimeouts * TransferDefaults.StallTimeout) - TimeSpan.FromTicks(1));
        Assert.NotNull(policy.DelayAfter(_throttled, attempts));

        _time.Advance(TimeSpan.FromTicks(1));

        Assert.Null(policy.DelayAfter(_throttled, attempts));
    }

    [Fact]
    public void Throttled_OtherRequestsSucceed_FailsMuchLater()
    {
        RetryPolicy policy = New(2);
        Attempts attempts = new();
        long began = _time.GetTimestamp();
        while (policy.DelayAfter(_throttled, attempts) is not null)
        {
            _time.Advance(TimeSpan.FromSeconds(20));
            policy.Succeeded();
        }

        Assert.Equal(TransferDefaults.RequestThrottleTimeouts * TransferDefaults.StallTimeout, _time.GetElapsedTime(began));
    }

    [Fact]
    public void RarelyRepeatedError_IsRetriedOnce()
    {
        foreach (FailureKind kind in new[] { FailureKind.Corrupt, FailureKind.RangeIgnored })
        {
            RetryPolicy policy = New(8);
            Attempts attempts = new();
            Assert.NotNull(policy.DelayAfter(_transient, attempts));

            Assert.Equal(1, CountRetries(policy, attempts, new WireException(kind, "no")));
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    public void NoCredentials_IsRetriedForTheStallTimeout(int maxAttempts)
    {
        RetryPolicy policy = New(maxAttempts);
        Attempts attempts = new();
        WireException failure = new(FailureKind.NoCredentials, "no");
        long started = _time.GetTimestamp();
        while (policy.DelayAfter(failure, attempts) is { } delay)
        {
            _time.Advance(delay);
        }

        Assert.Equal(maxAttempts == 1 ? TimeSpan.Zero : TransferDefaults.StallTimeout, _time.GetElapsedTime(started));
        Assert.InRange(attempts.Total, 1, 30);
        Assert.Equal(0, attempts.Failed); // what the store does is counted on its own
    }

    [Fact]
    public void PermanentError_IsNotRetried()
        => Assert.All(
            [FailureKind.Final, FailureKind.PreconditionFailed, FailureKind.NotModified, FailureKind.RangeNotSatisfiable],
            kind => Assert.Null(New(8).DelayAfter(new WireException(kind, "no"), new Attempts())));

    [Fact]
    public void Throttled_TokensRunOut_RetriesWaitLongerUntilRequestsSucceed()
    {
        RetryPolicy policy = New(8);

        Assert.All(Enumerable.Range(0, 100), _ => Assert.InRange(policy.DelayAfter(_throttled, new Attempts())!.Value.TotalMilliseconds, 0, 100));
        double[] later = [.. Enumerable.Range(0, 100).Select(_ => policy.DelayAfter(_throttled, new Attempts())!.Value.TotalMilliseconds)];
        Assert.InRange(later.Max(), 900, 1000);
        Assert.InRange(later.Average(), 400, 600);

        for (int i = 0; i < 21; i++)
        {
            policy.Succeeded();
        }

        Assert.InRange(policy.DelayAfter(_throttled, new Attempts())!.Value.TotalMilliseconds, 0, 100);
        Assert.InRange(policy.DelayAfter(_throttled, new Attempts())!.Value.TotalMilliseconds, 0, 100);
        Assert.InRange(Enumerable.Range(0, 20).Max(_ => policy.DelayAfter(_throttled, new Attempts())!.Value.TotalMilliseconds), 500, 1000);
    }

    [Fact]
    public void DelayAfter_SmallestRandomNumber_IsStillADelay()
    {
        RetryPolicy policy = new(2, TimeSpan.Zero, TransferDefaults.StallTimeout, new ZeroRandom(), _time);

        Assert.Equal(TimeSpan.FromMilliseconds(1), policy.DelayAfter(_transient, new Attempts()));
        Assert.Equal(TimeSpan.FromMilliseconds(1), policy.DelayAfter(_throttled, new Attempts()));
    }

    [Theory]
    [InlineData(8, 0)]
    [InlineData(8, 30)]
    [InlineData(2, 120)]
    [InlineData(1, 120)]
    public void Unreachable_IsRetriedUntilBothTheAttemptsAndTheTimeAreUsedUp(int maxAttempts, int retryForSeconds)
    {
        RetryPolicy policy = New(maxAttempts, retryForSeconds);
        Attempts attempts = new();
        long start = _time.GetTimestamp();
        while (policy.DelayAfter(_refused, attempts) is { } delay)
        {
            Assert.InRange(delay, TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(5));
            _time.Advance(delay);
        }

        TimeSpan elapsed = _time.GetElapsedTime(start);
        if (maxAttempts == 1)
        {
            Assert.EachEqual((1, TimeSpan.Zero), (attempts.Total, elapsed));
            return;
        }

        Assert.True(attempts.Total >= maxAttempts, $"{attempts.Total}");
        Assert.Equal(retryForSeconds == 0 ? maxAttempts : attempts.Total, attempts.Total);
        Assert.InRange(elapsed.TotalSeconds, retryForSeconds, Math.Max(retryForSeconds, 30));
        Assert.EachEqual((attempts.Total, elapsed), (_refused.Attempts, _refused.RetriedFor));
    }

    [Fact]
    public void Unreachable_AResponseRestartsTheTime()
    {
        RetryPolicy policy = New(3, 30);
        Attempts attempts = new();
        Assert.NotNull(policy.DelayAfter(_refused, attempts));
        _time.Advance(TimeSpan.FromSeconds(29));
        Assert.NotNull(policy.DelayAfter(_transient, attempts));
        _time.Advance(TimeSpan.FromSeconds(29));
        for (int i = 0; i < 10; i++)
        {
            Assert.NotNull(policy.DelayAfter(_refused, attempts));
        }

        Assert.NotNull(policy.DelayAfter(_transient, attempts)); // connections that are refused don't count as its attempts
        Assert.Null(policy.DelayAfter(_transient, attempts));
    }

    [Theory]
    [InlineData(502, null, true)]
    [InlineData(503, null, true)]
    [InlineData(504, null, true)]
    [InlineData(500, null, false)]
    [InlineData(503, "SlowDown", false)]
    public void IsUnreachable_ProxiesRespondForAStoreThatIsDown(int status, string? code, bool expected)
        => Assert.Equal(expected, new WireException(ErrorKinds.Classify((HttpStatusCode)status, code), "no") { StatusCode = (HttpStatusCode)status, ErrorCode = code }.IsUnreachable);

    [Theory]
    [InlineData(1, 20, "")]
    [InlineData(8, 0.4, " (8 attempts)")]
    [InlineData(12, 30.4, " (12 attempts in 30 s)")]
    public void AttemptsText_SaysHowOftenAndHowLong(int attempts, double seconds, string expected)
        => Assert.Equal(expected, new WireException(FailureKind.Transient, "no") { Attempts = attempts, RetriedFor = TimeSpan.FromSeconds(seconds) }.AttemptsText);

    private static int CountRetries(RetryPolicy policy, Attempts attempts, WireException failure)
    {
        int count = 0;
        while (policy.DelayAfter(failure, attempts) is not null)
        {
            count++;
        }

        return count;
    }

    private RetryPolicy New(int maxAttempts, int retryForSeconds = 0) => new(maxAttempts, TimeSpan.FromSeconds(retryForSeconds), TransferDefaults.StallTimeout, new Random(1), _time);

    private sealed class ZeroRandom : Random
    {
        public override double NextDouble() => 0;
    }
}
