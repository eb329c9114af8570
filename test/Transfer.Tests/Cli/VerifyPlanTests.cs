using Transfer.Cli.Commands;
using Transfer.Cli.Options;

namespace Transfer.Tests.Cli;

public sealed class VerifyPlanTests
{
    [Theory]
    [InlineData("dir/a", "s3://b/k", "dir/a", "s3://b/k")]
    [InlineData("s3://b/k", "dir/a", "dir/a", "s3://b/k")]
    [InlineData("dir/a", "s3://b/p/", "dir/a", "s3://b/p/a")]
    [InlineData("dir/a", "s3://b", "dir/a", "s3://b/a")]
    [InlineData("s3://b/p/k", "folder", "folder/k", "s3://b/p/k")]
    [InlineData("s3://b/p/k", "new/", "new/k", "s3://b/p/k")]
    public void Resolve_FindsFileAndObject_WithTheNamesThatACopyGives(string source, string target, string path, string stored)
    {
        VerifyPlan plan = VerifyPlan.Resolve(source, target, isFolder: name => name == "folder");
        Assert.Equal((path, stored), (plan.Path, plan.Object.ToString()));
    }

    [Theory]
    [InlineData("a", "b")]
    [InlineData("s3://b/k", "s3://b/l")]
    [InlineData("-", "s3://b/k")]
    [InlineData("s3://b/k", "-")]
    [InlineData("folder", "s3://b/p/")]
    [InlineData("new/", "s3://b/p/")]
    [InlineData("s3://b/p/", "folder")]
    [InlineData("s3://b", "folder")]
    public void Resolve_NotAFileAndAnObject_SaysWhatIsCompared(string source, string target)
    {
        UsageException e = Assert.Throws<UsageException>(() => VerifyPlan.Resolve(source, target, isFolder: name => name == "folder"));
        Assert.Contains("verify compares a file with an object", e.Message, StringComparison.Ordinal);
    }
}
