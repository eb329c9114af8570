using System.CommandLine;
using System.Text.RegularExpressions;
using Transfer.S3.Cli;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Cli;

/// <summary>Checks the tables of foreign words against the commands and options that exist.</summary>
public sealed partial class ForeignWordsTests
{
    private readonly ToolRoot _root = new Tool(new ToolConsole(TextWriter.Null, TextWriter.Null), CliLine.Environment(), TimeProvider.System).CreateRoot(["--help"]);

    /// <summary>An option that a row names must be one of a command for which the row counts. Its commands must exist.</summary>
    [Fact]
    public void Options_NameWhatExists()
    {
        foreach (ForeignWord row in ForeignOptions.All)
        {
            string name = row.Names[0];
            Command[] commands = [.. row.Commands.Count == 0 ? _root.Subcommands : row.Commands.Select(Find)];
            string[] options = row.Option is { } same ? [same] : [.. row.AdvisedOptions];
            Assert.True(commands.Any(command => options.All(option => Has(command, option))), $"{name}: no command has {string.Join(" and ", options)}");
            Assert.True(row.Commands.Count == 0 || commands.All(command => options.All(option => Has(command, option))), $"{name}: not all of {string.Join(", ", row.Commands)} have {string.Join(" and ", options)}");
            Assert.True(row.Advice is null || row.IsLacking || options.Length > 0 || row.AdvisedLines.Count > 0, $"{name}: '{row.Advice}' names nothing");
            Assert.All(row.AdvisedLines, CheckLine);
            Assert.All(OptionNames().Matches(row.Needless ?? string.Empty), option => Assert.Contains(commands, command => Has(command, option.Value)));
        }
    }

    [Fact]
    public void Commands_NameWhatExists()
    {
        foreach (ForeignWord row in ForeignCommands.All)
        {
            Assert.True(row.IsLacking || row.AdvisedLines.Count > 0, $"{row.Names[0]}: '{row.Advice}' names no command");
            Assert.All(row.AdvisedLines, CheckLine);
            Assert.All(row.AdvisedOptions, option => Assert.Contains(row.AdvisedLines, line => Has(Find(line[0]), option)));
            Assert.All(row.Names, name => Assert.DoesNotContain(_root.Subcommands, command => command.Name == name));
        }
    }

    /// <summary>A row that always loses against a command's own option, or against another row, is never seen.</summary>
    [Fact]
    public void Options_EachRowIsReached()
    {
        foreach (ForeignWord row in ForeignOptions.All)
        {
            foreach (string name in row.Names)
            {
                Assert.True(_root.Subcommands.Any(command => !Has(command, name) && (row.Option is not null ? ForeignWords.SameAs(command, name) == row
                    : row.Needless is not null ? ForeignWords.AlwaysDone(command, name, row.OnlyValue) == row
                    : ForeignWords.AdviceForOption(command, name) == row.Advice)), $"{name} never reaches '{row.Advice ?? row.Needless ?? row.Option}'");
            }
        }
    }

    /// <summary>What the guide translates must be known, too: its commands, and its options after the command.</summary>
    [Fact]
    public void Guide_NamesOnlyKnownWords()
    {
        string guide = File.ReadAllText(Path.Combine(MarkdownPages.Root, "docs", "coming-from.md"));
        string[] lines = [.. ForeignLines().Matches(guide).Select(match => match.Groups["line"].Value)];
        Assert.True(lines.Length > 30);
        foreach (string[] words in lines.Select(line => line.Split(' ')))
        {
            Assert.True(_root.Subcommands.Any(command => command.Name == words[0]) || ForeignWords.AdviceForCommand(words[0]) is not null, $"'{words[0]}' isn't known");
            Assert.All(words.Where(word => word is ['-', '-', _, ..]), option => Assert.True(_root.Subcommands.Any(command => Has(command, option) || ForeignWords.IsKnown(command, option)), $"'{option}' isn't known"));
        }
    }

    [Theory]
    [InlineData("rm -rf s3://b/p", "'-f' is not an option of rm; use --yes to delete without a question")]
    [InlineData("rm -r --force s3://b/p", "'--force' is not an option of rm; use --yes")]
    [InlineData("rb --force s3://b", "use 'transfer rm -r --whole-bucket s3://BUCKET' first")]
    [InlineData("cp -rf photos s3://b/p", "'-f' is not an option of cp; omit it: targets are overwritten unless --no-clobber is given")]
    [InlineData("cp -rx photos s3://b/p", "'-rx' is not an option of cp")]
    [InlineData("cp --size-only a s3://b/k", "use 'transfer sync --compare size SRC DST'")]
    [InlineData("cp -u a s3://b/k", "use 'transfer sync SRC DST'")]
    [InlineData("cp -r --delete d s3://b/p", "'--delete' is not an option of cp; use 'transfer sync --delete SRC DST'")]
    [InlineData("cp -n a s3://b/k", "use --dry-run to show what would be done, or --no-clobber to skip what exists")]
    [InlineData("sync -n d s3://b/p", "'-n' is not an option of sync; use --dry-run to show what would be done\n")]
    [InlineData("sync -u d s3://b/p", "use --compare time")]
    [InlineData("sync --exact-timestamps d s3://b/p", "use --compare time")]
    [InlineData("sync --ignore-existing d s3://b/p", "use 'transfer cp -r --no-clobber SRC DST'")]
    [InlineData("--output json ls", "'--output' is not an option of ls; use --json")]
    [InlineData("ls -d s3://b/p", "use 'transfer stat'")]
    [InlineData("ls --bwlimit 5M s3://b/p", "'--bwlimit' is not an option of ls\n")]
    [InlineData("mirror a s3://b", "'mirror' is not a command; use 'transfer sync SRC DST'")]
    [InlineData("find s3://b", "use 'transfer ls -r --include GLOB s3://bucket/prefix'")]
    [InlineData("check a s3://b", "use 'transfer verify SRC DST'")]
    [InlineData("mount s3://b /mnt", "'mount' is not a command; a store can't be mounted with this tool")]
    public async Task Tool_ForeignWord_SaysWhatToDo(string line, string expected)
    {
        using StringWriter error = new();
        Tool tool = new(new ToolConsole(TextWriter.Null, error), CliLine.Environment(), TimeProvider.System);
        Assert.Equal(ExitCode.Usage, await tool.RunAsync(line.Split(' '), CancellationToken.None));
        Assert.Contains(expected, error.ToString(), StringComparison.Ordinal);
    }

    private void CheckLine(string[] line)
        => Assert.All(line.Skip(1).Where(word => word.StartsWith('-') && word.Length > 1), option => Assert.True(Has(Find(line[0]), option), $"{line[0]} doesn't have {option}"));

    private Command Find(string name) => _root.Subcommands.Single(command => command.Name == name);

    private static bool Has(Command command, string name) => command.Options.Any(option => option.Name == name || option.Aliases.Contains(name));

    [GeneratedRegex("(?<=^|[ (])--?[a-z-]+", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex OptionNames();

    [GeneratedRegex("`(?:aws s3|s5cmd|rclone) (?<line>[a-z][^`…]*)`", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex ForeignLines();
}
