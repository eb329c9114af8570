using System.Text.RegularExpressions;

namespace Transfer.S3.Testing;

/// <summary>The Markdown pages of the repository.</summary>
public static partial class MarkdownPages
{
    public const string Readme = "README.md";

    public static string Root { get; } = FindRoot();

    /// <summary>Gets the pages at the root, in docs and below, of the packages, and of the samples, relative to the root.</summary>
    public static IReadOnlyList<string> All { get; } =
    [
        .. Directory.GetFiles(Root, "*.md").Concat(Directory.GetFiles(Path.Combine(Root, "docs"), "*.md", SearchOption.AllDirectories))
            .Concat(Directory.GetDirectories(Path.Combine(Root, "src")).Select(project => Path.Combine(project, Readme)).Where(File.Exists))
            .Concat(Directory.GetFiles(Path.Combine(Root, "samples"), "*.md", SearchOption.AllDirectories))
            .Select(path => Path.GetRelativePath(Root, path).Replace('\\', '/'))
            .Order(StringComparer.Ordinal),
    ];

    /// <summary>Gets the pages whose examples need the packages of .NET Aspire.</summary>
    public static IReadOnlyList<string> OfAspire { get; } = ["docs/aspire.md", "src/Transfer.Aspire/README.md", "src/Transfer.Aspire.Hosting/README.md"];

    public static string[] Lines(string page) => File.ReadAllLines(Path.Combine(Root, page));

    public static IReadOnlyList<CodeBlock> Blocks(string page) => CodeBlock.Find(page, Lines(page));

    /// <summary>Gets the lines outside of code blocks.</summary>
    public static IReadOnlyList<(int Number, string Text)> Prose(string page)
    {
        string[] lines = Lines(page);
        HashSet<int> code = [.. Blocks(page).SelectMany(block => Enumerable.Range(block.Line - 1, block.Text.Split('\n').Length + 2))];
        return [.. lines.Select((text, i) => (i + 1, text)).Where(line => !code.Contains(line.Item1))];
    }

    /// <summary>Gets the texts of the code spans in a line.</summary>
    public static IEnumerable<string> Spans(string line) => Span().Matches(line).Select(span => span.Groups["text"].Value);

    private static string FindRoot()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "Transfer.sln")))
        {
            folder = folder.Parent;
        }

        return folder?.FullName ?? throw new InvalidOperationException("No folder above the test assembly contains Transfer.sln.");
    }

    [GeneratedRegex("`(?<text>[^`]+)`", RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking)]
    private static partial Regex Span();
}
