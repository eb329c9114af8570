using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Tests.Cli;

public sealed class OpenFileLimitTests
{
    [Theory]
    [InlineData(96L, true)]
    [InlineData(192L, false)]
    [InlineData(null, false)]
    public void Check_LowLimit_SaysHowToRaiseIt(long? limit, bool isProblem)
    {
        string? problem = OpenFileLimit.Check(limit);

        Assert.Equal(isProblem, problem is not null);
        Assert.Equal(isProblem, problem?.StartsWith("too many open files: the limit is 96, ", StringComparison.Ordinal) ?? false);
    }
}
