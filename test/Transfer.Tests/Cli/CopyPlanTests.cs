using Transfer.Cli.Commands;
using Transfer.Cli.Options;

namespace Transfer.Tests.Cli;

public sealed class CopyPlanTests
{
    [Theory]
    [InlineData("dir/a.bin", "s3://b/k", "s3://b/k")]
    [InlineData("dir/a.bin", "s3://b/k/", "s3://b/k/a.bin")]
    [InlineData("dir/a.bin", "s3://b", "s3://b/a.bin")]
    [InlineData("s3://x/p/a.bin", "s3://b/k/", "s3://b/k/a.bin")]
    [InlineData("-", "s3://b/k", "s3://b/k")]
    [InlineData("s3://b/p/a.bin", "c.bin", "c.bin")]
    [InlineData("s3://b/p/a.bin", "new/", "new/a.bin")]
    [InlineData("s3://b/p/a.bin", "folder", "folder/a.bin")]
    [InlineData("s3://b/p/a.bin", "-", "-")]
    public void Resolve_Target_GetsItsName(string source, string target, string expected)
        => Assert.Equal(expected, CopyPlan.Resolve(source, target, path => path == "folder").Target.ToString());

    [Theory]
    [InlineData("a", "b")]
    [InlineData("-", "b")]
    [InlineData("a", "-")]
    [InlineData("-", "s3://b")]
    [InlineData("-", "s3://b/k/")]
    [InlineData("a", "s3://")]
    [InlineData("s3://b", "a")]
    [InlineData("s3://b/p/", "folder")]
    [InlineData("s3://b/p/", "c.bin")]
    [InlineData("s3://", "c.bin")]
    [InlineData("s3://b/p/..", "folder")]
    [InlineData("s3://b/p/.", "new/")]
    [InlineData("s3://b/p/a\0b", "new/")]
    public void Resolve_NoCopy_IsRefused(string source, string target)
        => Assert.Throws<UsageException>(() => CopyPlan.Resolve(source, target, path => path == "folder"));
}
