using Transfer.S3.Wire;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

/// <summary>How many bytes must have arrived before a reader is woken.</summary>
public sealed class ReceiveMarkTests : IDisposable
{
    private const int MiB = 1 << 20;
    private readonly FakeTimeProvider _time = new();
    private readonly Option _option = new();
    private readonly BodyReceiving _body = new();
    private readonly ReceiveMark _mark;

    public ReceiveMarkTests() => _mark = new ReceiveMark(_option, _time);

    public void Dispose() => _mark.Dispose();

    /// <summary>A mark takes at most 40 ms at the rate of the connection. What is less than 8 KiB isn't worth a mark.</summary>
    [Theory]
    [InlineData(200_000, 1)]
    [InlineData(300_000, 8 << 10)]
    [InlineData(1_500_000, 32 << 10)]
    [InlineData(6_000_000, 128 << 10)]
    [InlineData(1_000_000_000, 256 << 10)]
    public void Wait_OfARate_MarkTakesUpTo40Milliseconds(double bytesPerSecond, int mark)
    {
        Receive(100L * MiB, bytesPerSecond, times: 3);

        Assert.Equal(mark, _option.Mark);
    }

    [Fact]
    public void Wait_RateIsUnknown_MarkIsOneByte()
    {
        Wait(10 * MiB);

        Assert.Empty(_option.Set);
    }

    [Fact]
    public void Wait_RateFalls_MarkFalls()
    {
        Receive(100 * MiB, 10e6, times: 3);
        Receive(50 * MiB, 1e6, times: 3);

        Assert.Equal(32 << 10, _option.Mark);
    }

    [Fact]
    public void Wait_NextBody_BeginsWithTheRateOfTheConnection()
    {
        Receive(10 * MiB, 100e6, times: 3);
        _mark.Begin(null);

        _mark.Wait(new BodyReceiving { LeftBytes = MiB });

        Assert.Equal(256 << 10, _option.Mark);
    }

    /// <summary>A reader would wait forever for more than there is, but for the timer.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(10_000)]
    public void Wait_NearTheEnd_MarkIsNotMoreThanWhatIsLeft(int held)
    {
        Receive(10 * MiB, 100e6, times: 3);
        _mark.HeldBytes = held;

        foreach (int left in (int[])[256 << 10, 200_000, 100_000, 20_000, 10_000, 1])
        {
            Wait(left);

            Assert.Equal(left - held < ReceiveMark.LeastBytes ? 1 : Math.Min(left - held, 256 << 10), _option.Mark);
        }
    }

    [Fact]
    public void Wait_BodyIsPaced_MarkIsOneByte()
    {
        Receive(10 * MiB, 100e6, times: 3);

        Wait(0);

        Assert.Equal(1, _option.Mark);
    }

    /// <summary>What the system can't hold never arrives, and the sender needs room while the mark is filled.</summary>
    [Fact]
    public void Wait_BufferIsSmall_MarkIsAQuarterOfIt()
    {
        _option.BufferBytes = 128 << 10;
        Receive(10 * MiB, 100e6, times: 3);
        Assert.Equal(32 << 10, _option.Mark);

        _option.BufferBytes = 700_000; // the system lets it grow
        Receive(5 * MiB, 100e6, times: 3);
        Assert.Equal(128 << 10, _option.Mark);
    }

    /// <summary>What arrives at a fast connection while it is read wakes no one. A slow one needs no larger buffer for that.</summary>
    [Theory]
    [InlineData(100e6, 8_000_000, 4 << 20)]
    [InlineData(100e6, 3_000_000, 4 << 20)]
    [InlineData(40e6, 1_500_000, 2 << 20)]
    [InlineData(40e6, 100_000, 1 << 20)]
    [InlineData(20e6, 8_000_000, 512 << 10)]
    [InlineData(20e6, 8_191, 1)]
    [InlineData(1.5e6, 8_000_000, 32 << 10)]
    public void Begin_OfARate_MarkIsMoreThanArrives(double bytesPerSecond, int left, int mark)
    {
        Receive(100L * MiB, bytesPerSecond, times: 3);

        _body.LeftBytes = left;
        _mark.Begin(_body);

        Assert.Equal(mark, _option.Mark);
    }

    [Fact]
    public void Wait_LessThanTheMarkArrives_IsDeliveredInTime()
    {
        Receive(10 * MiB, 100e6, times: 3);

        _time.Advance(ReceiveMark.Patience - TimeSpan.FromMilliseconds(1));
        Assert.Equal(256 << 10, _option.Mark);

        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, _option.Mark);
    }

    /// <summary>The timer isn't set for each wait. It limits the current one, and not the time since it was set.</summary>
    [Fact]
    public void Wait_AfterOthers_HasItsOwnTime()
    {
        Receive(10 * MiB, 100e6, times: 3);
        _time.Advance(ReceiveMark.Patience * 0.8);
        Wait(5 * MiB);

        _time.Advance(ReceiveMark.Patience * 0.8);
        Assert.NotEqual(1, _option.Mark);

        _time.Advance(ReceiveMark.Patience * 0.2);
        Assert.Equal(1, _option.Mark);
    }

    [Fact]
    public void Begin_OfAnythingElse_MarkIsOneByte()
    {
        Receive(10 * MiB, 100e6, times: 3);

        _mark.Begin(null);
        Assert.Equal(1, _option.Mark);
        int times = _option.Set.Count;

        _mark.Begin(null);
        _time.Advance(ReceiveMark.Patience * 2);
        Assert.Equal(times, _option.Set.Count);
    }

    [Fact]
    public void Wait_SystemRefuses_IsNotAskedAgain()
    {
        _option.IsRefused = true;

        Receive(100 * MiB, 100e6, times: 10);

        Assert.Single(_option.Set);
        Assert.Equal(1, _mark.Bytes);
    }

    [Fact]
    public void Dispose_DuringAWait_TimerIsGone()
    {
        Receive(10 * MiB, 100e6, times: 3);

        _mark.Dispose();
        _time.Advance(ReceiveMark.Patience * 2);
        Assert.Equal(256 << 10, _option.Mark);
        Wait(MiB);
        _time.Advance(ReceiveMark.Patience * 2);

        Assert.Equal(256 << 10, _option.Mark);
    }

    private void Receive(long left, double bytesPerSecond, int times)
    {
        TimeSpan step = TimeSpan.FromMilliseconds(10);
        for (int i = 0; i < times; i++)
        {
            Wait(left - (long)(i * bytesPerSecond * step.TotalSeconds));
            if (i < times - 1)
            {
                _time.Advance(step);
            }
        }
    }

    private void Wait(long left)
    {
        _body.LeftBytes = left;
        _mark.Begin(_body);
        _mark.Wait(_body);
    }

    private sealed class Option : IReceiveOption
    {
        public List<int> Set { get; } = [];

        public int Mark => Set.LastOrDefault(1);

        public bool IsRefused { get; set; }

        public int BufferBytes { get; set; } = 4 * MiB;

        public bool TrySetMark(int bytes)
        {
            Set.Add(bytes);
            return !IsRefused;
        }
    }
}
