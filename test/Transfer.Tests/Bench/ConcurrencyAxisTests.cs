using Transfer.S3.Bench.Report;

namespace Transfer.S3.Tests.Bench;

public sealed class ConcurrencyAxisTests
{
    [Fact]
    public void Numbers_ArePlacedByPowersOfTwo()
    {
        ConcurrencyAxis axis = new([1, 4, 16, 64], 0, 400);
        double[] at = [axis.At(1), axis.At(4), axis.At(16), axis.At(64)];

        Assert.Equal(at[1] - at[0], at[3] - at[2], 9);
        Assert.True(at[0] > 0 && at[3] < 400);
        Assert.Equal([1, 4, 16, 64], axis.Labels);
        Assert.Null(axis.AutoBegins);
    }

    [Fact]
    public void Auto_IsPlacedAfterTheNumbers()
    {
        ConcurrencyAxis axis = new([null, 1, 64], 0, 400);

        Assert.Equal([1, 64, null], axis.Labels);
        Assert.InRange(axis.AutoBegins!.Value, axis.At(64) + 10, axis.At(null) - 10);
    }

    [Fact]
    public void OneValue_IsPlacedInTheMiddle()
    {
        Assert.Equal(200, new ConcurrencyAxis([8], 0, 400).At(8));
        Assert.Equal(200, new ConcurrencyAxis([null], 0, 400).At(null));
    }

    [Fact]
    public void Labels_ThatWouldOverlap_AreOmitted()
    {
        ConcurrencyAxis axis = new([15, 16, 1, 17, 1024], 0, 400);
        Assert.Equal([1, 15, 1024], axis.Labels);
    }
}
