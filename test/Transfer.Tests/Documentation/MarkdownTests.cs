using System.Text.RegularExpressions;

namespace Transfer.S3.Tests.Documentation;

public sealed class MarkdownTests
{
    private const int MostReadmeBytes = 12_000;

    /// <summary>
    /// The allowed languages. Besides C# and shell, console is a session that is only shown, bash and yaml are files, and text is anything else.
    /// </summary>
    private static readonly string[] Languages = [CodeBlock.CSharp, CodeBlock.Shell, "bash", "console", "json", "text", "yaml"];

    private static readonly Regex Link = new(@"\]\((?<target>[^)\s]+)\)", RegexOptions.NonBacktracking);
    private static readonly Regex NotInAnchor = new(@"[^\w\- ]", RegexOptions.NonBacktracking);

    public static TheoryData<string> Pages => [.. MarkdownPages.All];

    [Fact]
    public void Readme_IsShort() => Assert.InRange(new FileInfo(Path.Combine(MarkdownPages.Root, MarkdownPages.Readme)).Length, 1, MostReadmeBytes);

    [Theory]
    [MemberData(nameof(Pages))]
    public void CodeBlocks_HaveAKnownLanguage(string page)
        => Assert.Empty(MarkdownPages.Blocks(page).Where(block => !Languages.Contains(block.Language)).Select(block => $"{page}({block.Line - 1}): '{block.Language}'"));

    [Theory]
    [MemberData(nameof(Pages))]
    public void RelativeLinks_TargetsExist(string page)
    {
        List<string> broken = [];
        foreach ((int number, string text) in MarkdownPages.Prose(page))
        {
            foreach (Match match in Link.Matches(text))
            {
                string target = match.Groups["target"].Value;
                if (!target.Contains("://", StringComparison.Ordinal) && !Exists(page, target))
                {
                    broken.Add($"{page}({number}): {target}");
                }
            }
        }

        Assert.Empty(broken);
    }

    [Theory]
    [InlineData("README.md", "docs/cli.md", true)]
    [InlineData("docs/cli.md", "errors.md#exit-codes", true)]
    [InlineData("docs/cli.md", "#output", true)]
    [InlineData("docs/cli.md", "errors.md#no-such-heading", false)]
    [InlineData("docs/cli.md", "no-such-page.md", false)]
    public void Exists_Target_IsFound(string page, string target, bool expected) => Assert.Equal(expected, Exists(page, target));

    private static bool Exists(string page, string target)
    {
        string[] parts = target.Split('#', 2);
        string path = parts[0].Length == 0 ? page : Path.GetRelativePath(MarkdownPages.Root, Path.Combine(MarkdownPages.Root, Path.GetDirectoryName(page)!, parts[0])).Replace('\\', '/');
        return Path.Exists(Path.Combine(MarkdownPages.Root, path))
            && (parts.Length == 1 || MarkdownPages.Prose(path).Any(line => line.Text.StartsWith('#') && Anchor(line.Text) == parts[1]));
    }

    /// <summary>Returns the anchor that GitHub generates for a heading.</summary>
    private static string Anchor(string heading)
        => NotInAnchor.Replace(heading.TrimStart('#').Trim().ToLowerInvariant(), string.Empty).Replace(' ', '-');
}
