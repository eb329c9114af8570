using Transfer.S3.Concurrency;

namespace Transfer.S3.Tests.Concurrency;

public sealed class RequestTimesTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Quantiles_AreThoseOfTheLatestDurations(int seed)
    {
        Random random = new(seed);
        RequestTimes times = new();
        List<double> all = [];
        for (int i = 1; i <= 2000; i++)
        {
            double seconds = random.Next(50) / 100.0; // includes equal durations
            times.Add(seconds);
            all.Add(seconds);
            if (i >= 16 && i % 8 == 0)
            {
                double[] sorted = [.. all.TakeLast(128).Order()];
                Assert.Equal(sorted[sorted.Length / 2], times.Median);
                Assert.Equal(sorted[(int)(0.97 * (sorted.Length - 1))], times.High);
            }
        }
    }
}
