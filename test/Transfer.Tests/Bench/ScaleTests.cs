using FsCheck;
using FsCheck.Fluent;
using Transfer.S3.Bench.Report;

namespace Transfer.S3.Tests.Bench;

public sealed class ScaleTests
{
    [Theory]
    [InlineData(1200, new double[] { 0, 500, 1000, 1500 })]
    [InlineData(1000, new double[] { 0, 200, 400, 600, 800, 1000 })]
    [InlineData(0.03, new double[] { 0, 0.01, 0.02, 0.03 })]
    [InlineData(0, new double[] { 0, 0.2, 0.4, 0.6, 0.8, 1 })]
    [InlineData(double.NaN, new double[] { 0, 0.2, 0.4, 0.6, 0.8, 1 })]
    public void Linear_HasRoundTicksFromZero(double max, double[] expected)
    {
        Scale scale = Scale.Linear(max, 0, 100, 5);
        Assert.Equal(expected, scale.Ticks, (one, other) => Math.Abs(one - other) < 1e-9);
        Assert.EachEqual((0, 100), (scale.At(0), scale.At(scale.Ticks[^1])));
    }

    [Theory]
    [InlineData(3, 40, new double[] { 2, 5, 10, 20, 50 })]
    [InlineData(7, 7, new double[] { 5, 10 })]
    [InlineData(10, 10, new double[] { 10, 20 })]
    [InlineData(0.3, 90000, new double[] { 1, 10, 100, 1000, 10000, 100000 })]
    [InlineData(0.001, 1e6, new double[] { 0.001, 0.1, 10, 1000, 100000 })]
    public void Log_HasRoundTicks(double min, double max, double[] expected)
        => Assert.Equal(expected, Scale.Log(min, max, 0, 100, 6).Ticks, (one, other) => Math.Abs(one - other) < other * 1e-9);

    [Fact]
    public void Log_EqualRatios_HaveEqualLengths()
    {
        Scale scale = Scale.Log(1, 100, 50, 250, 7);
        Assert.EachEqual((50.0, 150.0, 250.0), (scale.At(1), scale.At(10), scale.At(100)));
    }

    [Fact]
    public void At_AnyValue_StaysOnTheAxisAndKeepsTheOrder() => Prop.ForAll(
        ArbMap.Default.ArbFor<NormalFloat>(),
        ArbMap.Default.ArbFor<NormalFloat>(),
        (a, b) =>
        {
            double[] values = [Math.Abs(a.Get) + 1e-3, Math.Abs(b.Get) + 1e-3];
            (double min, double max) = (values.Min(), values.Max());
            foreach (Scale scale in (Scale[])[Scale.Linear(max, 10, 90, 5), Scale.Log(min, max, 10, 90, 6)])
            {
                Assert.InRange(scale.At(min), 10, scale.At(max));
                Assert.InRange(scale.At(max), scale.At(min), 90);
                Assert.Equal(scale.Ticks.Order(), scale.Ticks);
                Assert.InRange(scale.Ticks.Count, 1, 11);
            }
        }).QuickCheckThrowOnFailure();
}
