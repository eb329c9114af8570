using System.CommandLine;
using System.Text;
using System.Text.RegularExpressions;
using Transfer.S3.Cli;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Documentation;

/// <summary>Compares what the guides quote with the code: pages, messages, and commands.</summary>
public sealed partial class GuideTests
{
    private const string ToolName = "transfer ";
    private const int ShortestQuote = 4;

    /// <summary>The pages whose commands aren't executed, because they are for stores and tools that a test doesn't have.</summary>
    private static readonly string[] CommandPages = ["docs/coming-from.md", "docs/recipes.md"];

    /// <summary>What ends a command in a line of a shell.</summary>
    private static readonly string[] Ends = ["|", ">", "<", "#", "&&"];

    public static TheoryData<string> Indexes => ["docs/README.md", "docs/design/README.md"];

    public static TheoryData<string, string> Commands
    {
        get
        {
            TheoryData<string, string> commands = [];
            foreach (string page in CommandPages)
            {
                IEnumerable<string> inTables = MarkdownPages.Prose(page).Where(line => line.Text.StartsWith('|')).SelectMany(line => MarkdownPages.Spans(line.Text));
                IEnumerable<string> inBlocks = MarkdownPages.Blocks(page).Where(block => block.Language == "console").SelectMany(block => block.Text.Split('\n'));
                foreach (string command in inTables.Concat(inBlocks).Where(text => text.StartsWith(ToolName, StringComparison.Ordinal)).Distinct())
                {
                    commands.Add(page, command);
                }
            }

            return commands;
        }
    }

    [Theory]
    [MemberData(nameof(Indexes))]
    public void Index_NamesEveryPageOfItsFolder(string index)
    {
        string folder = Path.GetDirectoryName(index)!.Replace('\\', '/') + "/";
        string text = string.Join('\n', MarkdownPages.Lines(index));

        IEnumerable<string> missing = MarkdownPages.All
            .Where(page => page.StartsWith(folder, StringComparison.Ordinal) && page != index && !page[folder.Length..].Contains('/', StringComparison.Ordinal))
            .Where(page => !text.Contains($"({page[folder.Length..]}", StringComparison.Ordinal));

        Assert.Empty(missing);
    }

    /// <summary>A message that was reworded would not be found by those who search for it.</summary>
    [Fact]
    public void Troubleshooting_MessagesAreInTheSource()
    {
        string source = ReadSource();
        List<string> missing = [];
        foreach ((int number, string text) in MarkdownPages.Prose("docs/troubleshooting.md").Where(line => line.Text.StartsWith("| `", StringComparison.Ordinal)))
        {
            IEnumerable<string> quotes = MarkdownPages.Spans(text.Split('|')[1]).SelectMany(span => span.Split('…')).Select(quote => quote.Trim(' ', '\'')).Where(quote => quote.Length >= ShortestQuote);
            missing.AddRange(quotes.Where(quote => !source.Contains(quote, StringComparison.OrdinalIgnoreCase)).Select(quote => $"{number}: {quote}"));
        }

        Assert.Empty(missing);
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public void Command_IsOneOfTheTool(string page, string command)
    {
        using ToolConsole console = new(TextWriter.Null, TextWriter.Null);
        RootCommand root = new Tool(console, new ToolEnvironment(_ => null), TimeProvider.System).CreateRoot();
        string[] words = [.. Word().Matches(command[ToolName.Length..]).Select(word => word.Value.Replace("'", string.Empty, StringComparison.Ordinal)).TakeWhile(word => !Ends.Contains(word))];
        List<string> notes = [];

        Exception? error = Record.Exception(() => CommandLineErrors.Check(root.Parse(CommandWords.Normalize(root, words, notes))));

        Assert.True(error is null && notes.Count == 0, $"{page}: {command}: {error?.Message} {string.Join(' ', notes)}");
    }

    private static string ReadSource()
    {
        StringBuilder text = new();
        foreach (string project in (string[])["Transfer", "Transfer.Jobs", "Transfer.Cli"])
        {
            foreach (string file in Directory.EnumerateFiles(Path.Combine(MarkdownPages.Root, "src", project), "*.cs", SearchOption.AllDirectories))
            {
                text.Append(File.ReadAllText(file));
            }
        }

        return text.ToString();
    }

    [GeneratedRegex("(?:'[^']*'|[^ '])+", RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking)]
    private static partial Regex Word();
}
