namespace Transfer.S3.Tests;

/// <summary>The files of the build.</summary>
public sealed class BuildFileTests
{
    /// <summary>The folder has a trailing slash by default, and none if <c>NUGET_PACKAGES</c> has none.</summary>
    [Fact]
    public void FolderOfPackages_IsAlwaysFollowedByASlash()
    {
        string[] files = [.. ((string[])["*.targets", "*.props"]).SelectMany(pattern => Directory.GetFiles(MarkdownPages.Root, pattern)
            .Concat(Directory.GetFiles(Path.Combine(MarkdownPages.Root, "src"), pattern, SearchOption.AllDirectories)))];
        string[] uses = [.. files.SelectMany(File.ReadAllLines).Where(line => line.Contains("$(NuGetPackageRoot)", StringComparison.Ordinal))];

        Assert.NotEmpty(uses);
        Assert.All(uses, line => Assert.Contains("EnsureTrailingSlash('$(NuGetPackageRoot)')", line, StringComparison.Ordinal));
    }
}
