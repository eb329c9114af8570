using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

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
    public void Resolve_Target_HasItsName(string source, string target, string expected)
        => Assert.Equal(expected, CopyPlan.Resolve(source, target, path => path == "folder").Target.ToString());

    [Theory]
    [InlineData("s3://b/k/", "s3://b/k/a", "s3://b/k/c")]
    [InlineData("s3://b", "s3://b/a", "s3://b/c")]
    public void ResolveAll_FilesAndObjects_KeepTheirNamesUnderTheTarget(string target, string first, string second)
        => Assert.Equal([first, second], CopyPlan.ResolveAll(["x/a", "s3://b/p/c", "x/a"], target, _ => false).Select(plan => plan.Target.ToString()));

    [Theory]
    [InlineData("folder")]
    [InlineData("new/")]
    public void ResolveAll_Objects_AreCopiedToAFolder(string target)
        => Assert.Equal(
            [Path.Combine(target, "a"), Path.Combine(target, "c")],
            CopyPlan.ResolveAll(["s3://b/p/a", "s3://b/p/c"], target, path => path == "folder").Select(plan => plan.Target.Text));

    [Fact]
    public void ResolveAll_FoldersAmongTheSources_FailSeparately()
        => Assert.Equal(3, CopyPlan.ResolveAll(["d/", "e/", "a"], "s3://b/k/", path => path is "d/" or "e/").Count);

    [Theory]
    [InlineData("s3://b/k", "a", "c")]
    [InlineData("file", "s3://b/a", "s3://b/c")]
    [InlineData("-", "s3://b/a", "s3://b/c")]
    [InlineData("folder", "a", "c")]
    [InlineData("folder", "s3://b/a", "c")]
    [InlineData("s3://b/k/", "a", "-")]
    [InlineData("s3://b/k/", "a", "x/a")]
    [InlineData("s3://b/k/", "a", "s3://b/p/")]
    [InlineData("folder", "s3://b/a", "s3://b/p/..")]
    public void ResolveAll_Invalid_IsRejected(string target, params string[] sources)
        => Assert.Throws<UsageException>(() => CopyPlan.ResolveAll(sources, target, path => path == "folder"));

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
    public void Resolve_Invalid_IsRejected(string source, string target)
        => Assert.Throws<UsageException>(() => CopyPlan.Resolve(source, target, path => path == "folder"));
}
