using System.CommandLine;
using Transfer.S3.Cli.Options;
using Transfer.S3.Configuration;
using Transfer.S3.Requests;

namespace Transfer.S3.Tests.Documentation;

/// <summary>The table of all options in the documentation is generated from the table in the code.</summary>
public sealed class OptionTableTests
{
    /// <summary>The variable that makes a run write the table if it is set to 1.</summary>
    private const string WriteVariable = "TRANSFER_WRITE_DOCUMENTATION";

    private const string Page = "docs/configuration.md";
    private const string Begin = "<!-- The table of options is generated: TRANSFER_WRITE_DOCUMENTATION=1 dotnet test -c Release test/Transfer.Tests -->";
    private const string End = "<!-- The end of the table of options. -->";

    [Fact]
    public void Page_TableMatchesTheCode()
    {
        string path = Path.Combine(MarkdownPages.Root, Page);
        string text = File.ReadAllText(path);
        int begin = text.IndexOf(Begin, StringComparison.Ordinal);
        int end = text.IndexOf(End, StringComparison.Ordinal);
        Assert.True(begin >= 0 && end > begin, $"{Page} doesn't contain the two comments that enclose the table.");
        string written = text[(begin + Begin.Length)..end].Trim();
        string table = string.Join('\n', Render());
        if (Environment.GetEnvironmentVariable(WriteVariable) == "1")
        {
            File.WriteAllText(path, $"{text[..(begin + Begin.Length)]}\n\n{table}\n\n{text[end..]}");
            return;
        }

        Assert.True(written == table, $"The table of options in {Page} differs from the code. Run this test with {WriteVariable}=1 and commit the page.");
    }

    [Fact]
    public void Variables_MatchThoseThatTheClientReads()
    {
        HashSet<string> read = [];
        ClientSettings.From(new TransferClientOptions { StateDirectory = "state", Advanced = { EnvironmentVariables = name => { read.Add(name); return null; } } });

        Assert.Equal(read.Order(), ClientOptionTable.All.Select(option => option.Variable).OfType<string>().Order());
    }

    [Fact]
    public void ToolOptions_MatchThoseOfTheTool()
    {
        Command command = new("cp");
        new TransferOptions().AddTo(command);
        new ConnectionOptions().AddTo(command);

        Assert.All(ClientOptionTable.All.Select(option => option.ToolOption).OfType<string>(), name => Assert.Contains(name, command.Options.Select(option => option.Name)));
    }

    /// <summary>
    /// The ranges in the table are those that the client checks: both ends of a range in bytes are accepted, and values beyond are rejected.
    /// </summary>
    [Fact]
    public void Ranges_MatchThoseThatTheClientChecks()
    {
        ClientOption[] sizes = [.. ClientOptionTable.All.Where(option => option.Unit == ClientOptionTable.Bytes)];
        Assert.NotEmpty(sizes);
        foreach (ClientOption option in sizes)
        {
            string[] ends = option.Range.Split(" to ");
            Assert.All(ends, end => Assert.Null(Record.Exception(() => Check(option, end))));
            Assert.True(ByteSize.TryParse(ends[0], out long min));
            Assert.True(ByteSize.TryParse(ends[1], out long max));
            Assert.Throws<ArgumentOutOfRangeException>(() => Check(option, $"{max + 1}"));
            if (min > 0)
            {
                Assert.Throws<ArgumentOutOfRangeException>(() => Check(option, $"{min - 1}"));
            }
        }

        static void Check(ClientOption option, string text)
        {
            TransferClientOptions options = new() { Advanced = { EnvironmentVariables = _ => null } };
            Assert.True(option.TryRead(text, options), $"{option.Name} can't be read from {text}.");
            ClientSettings.From(options);
        }
    }

    private static IEnumerable<string> Render()
    {
        yield return "| Option | What it sets | Unit | Default | Range | Environment variable | Tool option |";
        yield return "|---|---|---|---|---|---|---|";
        foreach (ClientOption option in ClientOptionTable.All)
        {
            string[] cells = [Code(option.Name), option.Summary, option.Unit, option.Default, option.Range, Code(option.Variable), Code(option.ToolOption)];
            yield return $"| {string.Join(" | ", cells)} |".Replace("|  |", "| |", StringComparison.Ordinal).Replace("|  |", "| |", StringComparison.Ordinal);
        }
    }

    private static string Code(string? name) => name is null ? string.Empty : $"`{name}`";
}
