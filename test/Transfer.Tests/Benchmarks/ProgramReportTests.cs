using Transfer.S3.Benchmarks.Compare;

namespace Transfer.S3.Tests.Benchmarks;

public sealed class ProgramReportTests
{
    [Fact]
    public void Parse_SeveralRuns_ReturnsTheLast()
    {
        ProgramReport report = ProgramReport.Parse(
            "tmrs get n 67108864 secs 0.693 cpu 0.416 MiB/s 92 rss MiB 80\ntmrs get n 67108865 secs 0.393 cpu 0.173 MiB/s 163 rss MiB 96\n");

        Assert.Equal(new ProgramReport(67108865, 0.393, 0.173), report);
    }

    [Theory]
    [InlineData("")]
    [InlineData("Error: transfer failed")]
    [InlineData("tmrs get n 1 secs 0.5 cpu")]
    [InlineData("tmrs get n 1 secs 0.5 cpu 0.1\nError: transfer failed")]
    public void Parse_NoReport_Throws(string output) => Assert.Throws<FormatException>(() => ProgramReport.Parse(output));
}
