using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

public sealed class VerifyPlanTests
{
    [Theory]
    [InlineData("dir/a", "s3://b/k", "dir/a", "s3://b/k")]
    [InlineData("s3://b/k", "dir/a", "dir/a", "s3://b/k")]
    [InlineData("dir/a", "s3://b/p/", "dir/a", "s3://b/p/a")]
    [InlineData("dir/a", "s3://b", "dir/a", "s3://b/a")]
    [InlineData("s3://b/p/k", "folder", "folder/k", "s3://b/p/k")]
    [InlineData("s3://b/p/k", "new/", "new/k", "s3://b/p/k")]
    public void Resolve_FileAndObject_HasTheNamesThatACopyUses(string source, string target, string path, string stored)
    {
        VerifyPlan plan = Resolve(source, target);
        Assert.EachEqual((path, stored, false), (plan.Path, plan.Object.ToString(), plan.IsDirectory));
    }

    [Theory]
    [InlineData("folder", "s3://b/p", "folder", "s3://b/p")]
    [InlineData("folder", "s3://b/p/", "folder", "s3://b/p/")]
    [InlineData("folder", "s3://b", "folder", "s3://b/")]
    [InlineData("new/", "s3://b/p/", "new/", "s3://b/p/")]
    [InlineData("s3://b/p/", "folder", "folder", "s3://b/p/")]
    [InlineData("s3://b/p/other", "folder", "folder", "s3://b/p/other")]
    [InlineData("s3://b", "folder", "folder", "s3://b/")]
    [InlineData("-r s3://b/p/k", "folder", "folder", "s3://b/p/k")]
    [InlineData("-r nothing", "s3://b/p", "nothing", "s3://b/p")]
    public void Resolve_FolderAndPrefix_AreFound(string source, string target, string path, string stored)
    {
        VerifyPlan plan = Resolve(source, target);
        Assert.EachEqual((path, stored, true), (plan.Path, plan.Object.ToString(), plan.IsDirectory));
    }

    [Theory]
    [InlineData("a", "b", "verify compares a file with an object")]
    [InlineData("s3://b/k", "s3://b/l", "verify compares a file with an object")]
    [InlineData("-", "s3://b/k", "verify compares a file with an object")]
    [InlineData("s3://b/k", "-", "verify compares a file with an object")]
    [InlineData("folder", "s3://", "has no bucket")]
    [InlineData("s3://b/p/", "folder/k", "is a file; a prefix can only be compared with a folder")]
    [InlineData("s3://b", "folder/k", "is a file; a prefix can only be compared with a folder")]
    [InlineData("-r folder/k", "s3://b/p/k", "is a file; a prefix can only be compared with a folder")]
    public void Resolve_InvalidPair_ErrorSaysWhatCanBeCompared(string source, string target, string text)
    {
        UsageException e = Assert.Throws<UsageException>(() => Resolve(source, target));
        Assert.Contains(text, e.Message, StringComparison.Ordinal);
    }

    /// <summary>Resolves in an environment with a folder named folder that contains one file, k.</summary>
    private static VerifyPlan Resolve(string source, string target)
        => VerifyPlan.Resolve(
            source.StartsWith("-r ", StringComparison.Ordinal) ? source[3..] : source,
            target,
            source.StartsWith("-r ", StringComparison.Ordinal),
            isFolder: name => name == "folder",
            isFile: name => name.Replace('\\', '/') == "folder/k");
}
