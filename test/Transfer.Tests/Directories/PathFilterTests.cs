using Transfer.Directories;

namespace Transfer.Tests.Directories;

/// <summary>Which paths a filter selects.</summary>
public class PathFilterTests
{
    private static readonly string[] Paths = ["a.log", "a.txt", "x/a.log", "x/y/b.log", "x/y/.z/c.log", ".h", "logs/1", "x/logs/2", "empty/"];

    [Theory]
    [InlineData("", "", "a.log a.txt x/a.log x/y/b.log x/y/.z/c.log .h logs/1 x/logs/2 empty/")]
    [InlineData("*.log", "", "a.log x/a.log x/y/b.log x/y/.z/c.log")]
    [InlineData("x/*.log", "", "x/a.log")]
    [InlineData("x/**/*.log", "", "x/a.log x/y/b.log x/y/.z/c.log")]
    [InlineData("x/", "", "x/a.log x/y/b.log x/y/.z/c.log x/logs/2")]
    [InlineData("", "*.log", "a.txt .h logs/1 x/logs/2 empty/")]
    [InlineData("x/", "x/y/", "x/a.log x/logs/2")]
    [InlineData("*.log *.txt", "x/**", "a.log a.txt")]
    [InlineData("A.LOG", "", "")]
    [InlineData("logs/", "", "logs/1")]
    [InlineData("**/logs/", "", "logs/1 x/logs/2")]
    [InlineData("empty", "", "empty/")]
    public void Takes_IncludedAndNotExcluded_IsTrue(string include, string exclude, string taken)
    {
        PathFilter filter = new(new DirectoryOptions { Include = Split(include), Exclude = Split(exclude) });

        Assert.Equal(Split(taken), Paths.Where(filter.Takes));
    }

    [Fact]
    public void IncludeHidden_False_SkipsNamesThatBeginWithADot()
    {
        PathFilter filter = new(new DirectoryOptions { IncludeHidden = false });

        Assert.Equal(["a.log", "a.txt", "x/a.log", "x/y/b.log", "logs/1", "x/logs/2", "empty/"], Paths.Where(filter.Takes));
    }

    private static string[] Split(string text) => text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
}
