using Microsoft.Extensions.Logging.Abstractions;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Requests;

public sealed class LinkWatchTests : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private readonly FakeTimeProvider _time = new();
    private readonly FakeLink _link = new();
    private readonly StoreSigns _signs;
    private readonly LinkWatch _watch;
    private readonly List<StallGuard> _guards = [];

    public LinkWatchTests()
    {
        _signs = new StoreSigns(_time);
        _watch = new LinkWatch(_signs, new LinkReference { Link = _link }, _time, NullLogger.Instance);
    }

    public void Dispose()
    {
        _guards.ForEach(static guard => guard.Dispose());
        _watch.Dispose();
    }

    [Theory]
    [InlineData(true, FailureKind.LinkLost)]
    [InlineData(false, FailureKind.Transient)] // such as the completion of an upload, which must be looked up
    public void Silence_TheLinkWasDownAndIsBack_AttemptsAreGivenUp(bool canRepeat, object expected)
    {
        StallGuard guard = Begin(canRepeat);
        _link.IsUp = false;
        Advance(20);
        Assert.False(guard.Token.IsCancellationRequested);
        Assert.InRange(_link.Probes, 15, 18); // one each second after the first silence

        _link.IsUp = true;
        Advance(1);

        Assert.True(guard.Token.IsCancellationRequested);
        Assert.False(guard.HasStalled);
        Assert.Equal(expected, guard.GetFailure(new OperationCanceledException())!.Kind);
        Assert.Equal(1, _link.Redials);
    }

    [Fact]
    public void Silence_TheStoreCanBeReached_NothingIsGivenUp()
    {
        StallGuard guard = Begin();
        Advance(25);

        Assert.False(guard.Token.IsCancellationRequested);
        Assert.EachEqual((3, 0), (_link.Probes, _link.Redials)); // after 3, 13, and 23 s
    }

    [Fact]
    public async Task LinkIsBack_AttemptsThatMoveByThemselvesAreKept()
    {
        StallGuard moving = Begin();
        StallGuard silent = Begin();
        _link.IsUp = false;
        Advance(10);
        moving.TouchBody();
        _link.Hold();
        Advance(1); // the probe that will be answered
        _link.Release(isReached: true);

        await Deadline.Until(() => silent.Token.IsCancellationRequested);
        Assert.False(moving.Token.IsCancellationRequested);
    }

    [Fact]
    public void LinkIsDown_DataThatTheSystemTakesIsNoSign()
    {
        StallGuard guard = Begin();
        _link.IsUp = false;
        Advance(10);
        guard.TouchBody(); // a request that was sent again has filled the buffers of its connection
        Advance(3);
        _link.IsUp = true;
        Advance(1);

        Assert.True(guard.Token.IsCancellationRequested);
    }

    [Fact]
    public void Silence_DataIsBeingProcessed_NothingIsProbed()
    {
        Begin();
        Begin().Rest(); // a reader has data of it
        _link.IsUp = false;
        Advance(10);

        Assert.Equal(0, _link.Probes);
    }

    [Fact]
    public async Task LinkIsBack_AttemptsThatBeganAfterwardAreKept()
    {
        StallGuard lost = Begin();
        _link.IsUp = false;
        Advance(10);
        _link.Hold();
        Advance(1); // the probe that will be answered
        StallGuard late = Begin();
        _link.Release(isReached: true);

        await Deadline.Until(() => lost.Token.IsCancellationRequested);
        Assert.False(late.Token.IsCancellationRequested);
    }

    [Fact]
    public void NoAttemptsInFlight_TheClockStops()
    {
        StallGuard guard = Begin();
        _signs.Ended(guard);
        guard.Rest();
        Advance(2);
        _link.IsUp = false;
        Advance(30);
        Assert.Equal(0, _link.Probes);

        Begin();
        Advance(3);

        Assert.Equal(1, _link.Probes);
    }

    private StallGuard Begin(bool canRepeat = true)
    {
        StallGuard guard = new(TimeSpan.FromMinutes(5), _time, CancellationToken.None) { CanRepeat = canRepeat };
        _guards.Add(guard);
        _signs.Began(guard, isRetry: false);
        _watch.Began();
        return guard;
    }

    private void Advance(int seconds)
    {
        for (int i = 0; i < seconds; i++)
        {
            _time.Advance(Second);
        }
    }

    private sealed class FakeLink : ILink
    {
        private TaskCompletionSource<bool>? _held;

        public bool IsUp { get; set; } = true;

        public int Probes { get; private set; }

        public int Redials { get; private set; }

        public void Hold() => _held = new TaskCompletionSource<bool>();

        public void Release(bool isReached) => _held!.SetResult(isReached);

        public Task<bool> ProbeAsync(CancellationToken cancellationToken)
        {
            Probes++;
            return _held?.Task ?? Task.FromResult(IsUp);
        }

        public void Redial() => Redials++;
    }
}
