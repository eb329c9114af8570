using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

public sealed class FolderPlanTests
{
    [Theory]
    [InlineData("dir", "s3://b/p", "dir", "s3://b/p/", "dir")]
    [InlineData("dir/sub/", "s3://b/p/", "dir/sub/", "s3://b/p/", "sub")]
    [InlineData("s3://b", "new", "s3://b/", "new", "b")]
    [InlineData("s3://b/", "new/", "s3://b/", "new/", "b")]
    [InlineData("s3://b/p/q", ".", "s3://b/p/q/", ".", "q")]
    [InlineData("s3://b/p", "s3://c", "s3://b/p/", "s3://c/", "p")]
    [InlineData("/", "s3://c", "/", "s3://c/", "/")]
    public void Resolve_Arguments_AreFoldersAndPrefixes(string source, string target, string from, string to, string name)
    {
        FolderPlan plan = FolderPlan.Resolve(source, target);
        Assert.EachEqual((from, to, name), (plan.Source.ToString(), plan.Target.ToString(), plan.Name));
    }

    [Theory]
    [InlineData("a", "b", "cp does not copy from this machine to itself")]
    [InlineData("-", "s3://b", "standard input and output are one object")]
    [InlineData("s3://b", "-", "standard input and output are one object")]
    [InlineData("s3://", "a", "the source has no bucket")]
    [InlineData("a", "s3://", "the target has no bucket")]
    public void Resolve_Invalid_IsRejected(string source, string target, string why)
        => Assert.Contains(why, Assert.Throws<UsageException>(() => FolderPlan.Resolve(source, target)).Message, StringComparison.Ordinal);
}
