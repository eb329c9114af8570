using System.IO.Pipelines;
using Transfer.S3.Concurrency;

namespace Transfer.S3.Tests.Concurrency;

/// <summary>A model of parts that share a link, with the times of a real one: buffers that fill at once, and an optional limit of each connection.</summary>
public sealed class SendLimitTests
{
    private const double MiB = 1024 * 1024;
    private const double Step = 0.01;
    private const long PartBytes = 8 * 1024 * 1024;
    private const int Waiting = 14;
    private readonly FakeTimeProvider _time = new(DateTimeOffset.MinValue); // whose timestamps are exact as doubles
    private readonly SendLimit _limit;
    private readonly List<ModelPart> _parts = [];
    private readonly Queue<ModelPart> _givenUp = [];
    private double _link = 1.2 * MiB;
    private double _connection = double.MaxValue;
    private int _begun;
    private double _moved;
    private double _confirmed;
    private double? _firstConfirmed;
    private int _surplus;
    private int _mostInFlight;

    public SendLimitTests() => _limit = new SendLimit(_time, () => { }, PipeScheduler.Inline);

    [Theory]
    [InlineData(0.6, 0.60)]
    [InlineData(1.2, 0.75)]
    [InlineData(2.5, 0.65)]
    [InlineData(5, 0.60)]
    [InlineData(9, 0.60)]
    public void SlowLink_ConfirmsThePartsInTime(double rate, double kept)
    {
        _link = rate * MiB;

        Run(rate < 1 ? 60 : 30);

        Assert.InRange(_firstConfirmed!.Value, 0, Math.Max(PartBytes / _link, SendLimit.GoalSeconds) + 3);
        Assert.InRange(_confirmed / _moved, kept, 1);
        Assert.InRange(_moved, 0.95 * _link * Seconds, double.MaxValue);
    }

    [Theory]
    [InlineData(20, double.MaxValue)]
    [InlineData(100, double.MaxValue)]
    [InlineData(800, 40)]
    [InlineData(1000, 2)]
    public void FastLink_NothingIsGivenUp(double link, double connection)
    {
        (_link, _connection) = (link * MiB, connection == double.MaxValue ? connection : connection * MiB);

        Run(10);

        Assert.EachEqual((0, 12), (_surplus, _mostInFlight));
    }

    [Fact]
    public void RateThatGrowsSlowly_NothingIsGivenUp()
    {
        // The start of a distant connection: the rate doubles every 0.2 s.
        _link = 0.5 * MiB;
        for (int i = 0; i < 300; i++)
        {
            _link = Math.Min(100 * MiB, _link * Math.Pow(2, Step / 0.2));
            Tick();
        }

        Assert.Equal(0, _surplus);
    }

    [Fact]
    public void EachConnectionIsLimited_AllPartsAreSentAgain()
    {
        (_link, _connection) = (1000 * MiB, 0.3 * MiB);

        Run(20);

        Assert.Equal(int.MaxValue, _limit.Limit);
        Assert.Equal(12, _parts.Count);
    }

    /// <summary>Parts that are read over slow connections from another store leave few to send. The rate is that of the source, which needs all of them.</summary>
    [Fact]
    public void SourceIsSlow_AllPartsCanBeFilled()
    {
        double[] filled = [.. Enumerable.Range(0, 12).Select(static i => i * (double)PartBytes / 12)];
        List<(PartSend Send, double Bytes)> sends = [];
        for (double at = 0; at < 120; at += Step)
        {
            _time.Advance(TimeSpan.FromSeconds(Step));
            for (int i = 0; i < Math.Min(filled.Length, (long)_limit.Limit + 2 - sends.Count); i++)
            {
                filled[i] += 0.3 * MiB * Step;
                if (filled[i] >= PartBytes)
                {
                    filled[i] = 0;
                    sends.Add((_limit.Begin(PartBytes, new ModelPart()), 0));
                }
            }

            for (int i = sends.Count - 1; i >= 0; i--)
            {
                (PartSend send, double bytes) = sends[i];
                bytes += 2 * MiB * Step;
                send.Sent((long)Math.Min(bytes, PartBytes));
                sends[i] = (send, bytes);
                if (bytes >= PartBytes)
                {
                    send.Dispose();
                    sends.RemoveAt(i);
                }
            }
        }

        Assert.InRange(_limit.Limit, filled.Length, int.MaxValue);
    }

    [Fact]
    public void LinkBecomesSlow_FewPartsRemain_AndFast_AllReturn()
    {
        _link = 100 * MiB;
        Run(5);
        Assert.Equal(0, _surplus);

        _link = 1.2 * MiB;
        Run(30);
        Assert.InRange(_parts.Count, 1, 2);

        _link = 100 * MiB;
        Run(5);
        Assert.Equal(12, _parts.Count);
    }

    [Fact]
    public void AfterAnIdleTime_NothingIsKnown()
    {
        Run(10);
        Assert.InRange(_limit.Limit, 1, 2);
        _parts.ForEach(static part => part.Send.Dispose());
        _parts.Clear();
        _time.Advance(TimeSpan.FromSeconds(3));

        _link = 100 * MiB;
        Run(1);

        Assert.Equal(12, _parts.Count);
    }

    private void Run(double seconds)
    {
        for (double at = 0; at < seconds; at += Step)
        {
            Tick();
        }
    }

    private double Seconds => (_time.GetUtcNow() - _time.Start).TotalSeconds;

    private void Tick()
    {
        while (_parts.Count < Math.Min(12, _limit.Limit) && (_givenUp.Count > 0 || _parts.Count < Waiting))
        {
            ModelPart part = _givenUp.TryDequeue(out ModelPart? again) ? again : new ModelPart();
            (part.Delivered, part.Accepted) = (0, 0);
            part.BufferBytes = (256 * 1024) + (_begun++ % 13 * 5000); // so that they don't move in step
            part.Send = _limit.Begin(PartBytes, part);
            _parts.Add(part);
        }

        _mostInFlight = Math.Max(_mostInFlight, _parts.Count);
        _time.Advance(TimeSpan.FromSeconds(Step));
        double share = Math.Min(_connection, _link / _parts.Count) * Step;
        foreach (ModelPart part in _parts.ToArray())
        {
            double delivered = Math.Min(share, PartBytes - part.Delivered);
            part.Delivered += delivered;
            _moved += delivered;
            double accepted = Math.Min(PartBytes, part.Delivered + part.BufferBytes);
            if (accepted - part.Accepted >= 64 * 1024 || accepted == PartBytes)
            {
                part.Accepted = accepted;
                part.Send.Sent((long)accepted);
            }

            if (part.Delivered >= PartBytes)
            {
                _parts.Remove(part);
                part.Send.Dispose();
                _confirmed += PartBytes;
                _firstConfirmed ??= Seconds;
            }
        }

        foreach (ModelPart part in _parts.Where(static part => part.IsGivenUp).ToArray())
        {
            _surplus++;
            part.IsGivenUp = false;
            part.Send.Dispose();
            _parts.Remove(part);
            _givenUp.Enqueue(part);
        }
    }

    private sealed class ModelPart : ISurplusRequest
    {
        public PartSend Send { get; set; } = null!;

        public double Delivered { get; set; }

        public double Accepted { get; set; }

        public double BufferBytes { get; set; }

        public bool IsGivenUp { get; set; }

        public void GiveUp() => IsGivenUp = true;
    }
}
