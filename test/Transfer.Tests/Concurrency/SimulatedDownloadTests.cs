namespace Transfer.S3.Tests.Concurrency;

/// <summary>What the controller chooses is at least as fast as a fixed number of requests, on models of the links that the comparison measures.</summary>
public sealed class SimulatedDownloadTests
{
    [Theory]
    [InlineData(800, 40, 40, false, 2048, 0.91, 0.94)]
    [InlineData(1300, 700, 1, false, 2048, 0.97, 0.97)]
    [InlineData(12.5, 1000, 30, true, 192, 0.985, 0.99)] // 100 Mbit/s
    [InlineData(25, 2.5, 100, true, 256, 0.91, 0.95)] // loss limits each connection
    [InlineData(125, 1000, 40, true, 1024, 0.96, 0.98)] // 1 Gbit/s
    public void Download_IsAsFastAsWithTheBestFixedNumber(double link, double connection, double firstByteMs, bool startsSlowly, long mib, double least, double leastOfSecondHalf)
    {
        (double all, double secondHalf) = Run(null);

        Assert.True(all > least && secondHalf > leastOfSecondHalf, $"{all:0.000} of the link, and {secondHalf:0.000} in the second half");
        foreach (int number in new[] { 4, 8, 16 })
        {
            (double fixedShare, _) = Run(number);
            Assert.True(all > 0.99 * fixedShare, $"{all:0.000} of the link, and {fixedShare:0.000} with {number} requests");
        }

        (double All, double SecondHalf) Run(int? number)
        {
            using SimulatedDownload download = new(number)
            {
                BytesPerSecond = link * Sizes.MiB,
                ConnectionBytesPerSecond = connection * Sizes.MiB,
                FirstByteSeconds = firstByteMs / 1000,
                StartsSlowly = startsSlowly,
            };
            return download.Run(mib * Sizes.MiB);
        }
    }
}
