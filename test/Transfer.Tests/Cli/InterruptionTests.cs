using Transfer.S3.Cli;

namespace Transfer.S3.Tests.Cli;

/// <summary>The effect of each signal.</summary>
public sealed class InterruptionTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly List<string> _told = [];
    private readonly List<int> _exits = [];

    [Fact]
    public async Task FirstSignal_Cancels()
    {
        using Interruption interruption = new(_time, _told.Add, _exits.Add);

        interruption.OnSignal();

        await Deadline.Until(() => interruption.Token.IsCancellationRequested);
        _time.Advance(TimeSpan.FromHours(1));
        Assert.Empty(_exits);
        Assert.Empty(_told);
    }

    [Fact]
    public void SecondSignal_AllowsTimeForCleanup()
    {
        using Interruption interruption = new(_time, _told.Add, _exits.Add);
        interruption.OnSignal();

        interruption.OnSignal();

        Assert.StartsWith("cleaning up", Assert.Single(_told), StringComparison.Ordinal);
        _time.Advance(Interruption.Grace - TimeSpan.FromTicks(1));
        Assert.Empty(_exits);
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.Equal([ExitCode.Interrupted], _exits);
    }

    [Fact]
    public void SecondSignal_CleanupEndsInTime_NothingElseHappens()
    {
        using (Interruption interruption = new(_time, _told.Add, _exits.Add))
        {
            interruption.OnSignal();
            interruption.OnSignal();
        }

        _time.Advance(TimeSpan.FromHours(1));
        Assert.Empty(_exits);
    }

    [Fact]
    public void ThirdSignal_EndsTheProcess()
    {
        using Interruption interruption = new(_time, _told.Add, _exits.Add);

        for (int i = 0; i < 3; i++)
        {
            interruption.OnSignal();
        }

        Assert.Equal([ExitCode.Interrupted], _exits);
    }
}
