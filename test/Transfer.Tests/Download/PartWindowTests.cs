using Transfer.Download;
using Transfer.Scheduling;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Download;

public class PartWindowTests
{
    private readonly LinkMeter _link = new();

    [Fact]
    public void Size_NumberWasChosen_IsThatManyRequestsAndAPartBeingRead()
    {
        See(TimeSpan.FromSeconds(1), 100);
        PartWindow window = new(_link, 5, isFixed: true);

        Assert.Equal(5, CountEntered(window));

        // The one that was fetched waits for its reader, and another is fetched meanwhile.
        window.Fetched();
        Assert.Equal(1, CountEntered(window));
        window.Fetched();
        Assert.Equal(0, CountEntered(window));
        window.Leave();
        Assert.Equal(1, CountEntered(window));
    }

    [Theory]
    [InlineData(0.2, 4)]
    [InlineData(0.999, 4)]
    [InlineData(1, 5)]
    [InlineData(3, 7)]
    [InlineData(30, 16)]
    public void Size_KnownLink_FollowsItsFirstByte(double milliseconds, int expected)
    {
        See(TimeSpan.FromMilliseconds(milliseconds), 16);

        Assert.Equal(expected, CountEntered(new PartWindow(_link, 16, isFixed: false)));
    }

    [Fact]
    public void Size_FewRequestsAllowed_IsThatManyRequestsAndAPartBeingRead()
    {
        See(TimeSpan.FromSeconds(1), 16);
        PartWindow window = new(_link, 2, isFixed: false);

        Assert.Equal(2, CountEntered(window));

        window.Fetched();
        Assert.Equal(1, CountEntered(window));
    }

    [Fact]
    public async Task Size_LinkNotYetKnown_GrowsWithEachPartThatIsDone()
    {
        See(TimeSpan.FromSeconds(1), 15);
        PartWindow window = new(_link, 16, isFixed: false);
        Assert.Equal(4, CountEntered(window));

        ValueTask fifth = window.EnterAsync(CancellationToken.None);
        Assert.False(fifth.IsCompleted);
        window.Leave();
        await fifth.AsTask().Within();

        Assert.Equal(1, CountEntered(window)); // one in the place of the one that left, one more for its being done
    }

    [Fact]
    public void FirstByte_IsTheShortestOfTheLatest()
    {
        Assert.Equal(TimeSpan.Zero, _link.FirstByte);
        See(TimeSpan.FromMilliseconds(5), 1);
        See(TimeSpan.FromMilliseconds(9), 31);
        Assert.Equal(TimeSpan.FromMilliseconds(5), _link.FirstByte);

        See(TimeSpan.FromMilliseconds(9), 1);

        Assert.Equal(TimeSpan.FromMilliseconds(9), _link.FirstByte);
        See(TimeSpan.FromMilliseconds(8), 100);
        Assert.Equal(TimeSpan.FromMilliseconds(8), _link.FirstByte);
    }

    private static int CountEntered(PartWindow window)
    {
        using CancellationTokenSource full = new();
        int count = 0;
        ValueTask entering;
        while ((entering = window.EnterAsync(full.Token)).IsCompletedSuccessfully)
        {
            count++;
        }

        full.Cancel();
        Assert.True(SpinWait.SpinUntil(() => entering.IsCanceled, TimeSpan.FromSeconds(10)));
        return count;
    }

    private void See(TimeSpan firstByte, int times)
    {
        for (int i = 0; i < times; i++)
        {
            _link.AddFirstByte(firstByte);
        }
    }
}
