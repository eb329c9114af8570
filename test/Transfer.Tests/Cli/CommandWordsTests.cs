using System.CommandLine;
using Transfer.S3.Cli;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Cli;

public sealed class CommandWordsTests
{
    [Theory]
    [InlineData("--endpoint-url http://h cp a s3://b/k", "cp --endpoint-url http://h a s3://b/k")]
    [InlineData("--endpoint-url=http://h -v --no-sign-request ls s3://b", "ls --endpoint-url=http://h -v --no-sign-request s3://b")]
    [InlineData("cp --endpoint-url http://h a s3://b/k", "cp --endpoint-url http://h a s3://b/k")]
    [InlineData("--endpoint-url", "--endpoint-url")]
    [InlineData("--nonsense cp a s3://b/k", "--nonsense cp a s3://b/k")]
    [InlineData("--profile cp ls", "ls --profile cp")]
    [InlineData("cp --only-show-errors --no-progress a s3://b/k", "cp --quiet --progress=none a s3://b/k")]
    [InlineData("cp -r --no-follow-symlinks a s3://b", "cp -r --links=skip a s3://b")]
    [InlineData("cp --request-payer requester s3://b/k a", "cp --requester-pays s3://b/k a")]
    [InlineData("cp --request-payer=requester s3://b/k a", "cp --requester-pays s3://b/k a")]
    [InlineData("cp --checksum-algorithm CRC32C a s3://b/k", "cp --checksum CRC32C a s3://b/k")]
    [InlineData("presign --expires-in 3600 s3://b/k", "presign --expires 3600 s3://b/k")]
    [InlineData("cp -- --no-progress s3://b/k", "cp -- --no-progress s3://b/k")]
    [InlineData("--no-verify-ssl --checksum-algorithm CRC32C cp a s3://b/k", "cp --insecure --checksum CRC32C a s3://b/k")]
    [InlineData("--page-size 5 -v ls s3://b", "ls -v s3://b", "--page-size")]
    [InlineData("cp --profile --no-progress a s3://b/k", "cp --profile --no-progress a s3://b/k")]
    [InlineData("cp --checksum-algorithm --page-size a s3://b/k", "cp --checksum --page-size a s3://b/k")]
    [InlineData("cp --request-payer a s3://b/k", "cp --requester-pays a s3://b/k")]
    [InlineData("cp --no-overwrite --source-region r s3://a/k s3://b/k", "cp --no-clobber --from-region r s3://a/k s3://b/k")]
    [InlineData("mb --no-progress s3://b", "mb s3://b", "--no-progress")]
    [InlineData("ls --human-readable --summarize s3://b", "ls s3://b", "--human-readable", "--summarize")]
    [InlineData("ls --page-size 100 s3://b", "ls s3://b", "--page-size")]
    [InlineData("ls --page-size=100 s3://b", "ls s3://b", "--page-size")]
    [InlineData("ls s3://b --page-size", "ls s3://b", "--page-size")]
    [InlineData("ls --page-size --json s3://b", "ls --json s3://b", "--page-size")]
    [InlineData("cp --metadata-directive COPY s3://a/k s3://b/k", "cp s3://a/k s3://b/k", "--metadata-directive")]
    [InlineData("cp --metadata-directive=COPY s3://a/k s3://b/k", "cp s3://a/k s3://b/k", "--metadata-directive")]
    [InlineData("cp --metadata-directive REPLACE s3://a/k s3://b/k", "cp --metadata-directive REPLACE s3://a/k s3://b/k")]
    [InlineData("cp --copy-props none s3://a/k s3://b/k", "cp --copy-props none s3://a/k s3://b/k")]
    [InlineData("cp -- --page-size s3://b/k", "cp -- --page-size s3://b/k")]
    [InlineData("-vv ls s3://b", "ls -v -v s3://b")]
    [InlineData("ls -vv s3://b", "ls -v -v s3://b")]
    [InlineData("-rv --endpoint-url http://h ls s3://b", "ls -r -v --endpoint-url http://h s3://b")]
    [InlineData("ls -R s3://b", "ls --recursive s3://b")]
    [InlineData("rm -rf s3://b/p", "rm -r -f s3://b/p")]
    [InlineData("cp -rx photos s3://b/p", "cp -rx photos s3://b/p")]
    [InlineData("cp --include -rv -rv d s3://b/p", "cp --include -rv -r -v d s3://b/p")]
    [InlineData("cp -- -rv s3://b/p", "cp -- -rv s3://b/p")]
    [InlineData("--size-only sync d s3://b/p", "sync --compare=size d s3://b/p")]
    [InlineData("plan --size-only d s3://b/p", "plan --compare=size d s3://b/p")]
    [InlineData("sync --backup-dir s3://b/old d s3://b/p", "sync --backup s3://b/old d s3://b/p")]
    [InlineData("cp -r --min-age 7d d s3://b/p", "cp -r --older-than 7d d s3://b/p")]
    [InlineData("du --max-depth 2 s3://b/p", "du --depth 2 s3://b/p")]
    [InlineData("sync -r d s3://b/p", "sync d s3://b/p", "-r")]
    [InlineData("ls -lh s3://b/p", "ls s3://b/p", "-lh")]
    [InlineData("cp -rP d s3://b/p", "cp -r d s3://b/p", "-P")]
    [InlineData("cp -r --force d s3://b/p", "cp -r d s3://b/p", "--force")]
    [InlineData("rm -r --force s3://b/p", "rm -r --force s3://b/p")]
    [InlineData("help cp", "cp --help")]
    [InlineData("help cp --all", "cp --help-all")]
    [InlineData("help cp --help-all", "cp --help-all")]
    [InlineData("help", "--help")]
    [InlineData("version", "--version")]
    public void Normalize_HabitsFromOtherTools_AreTranslated(string line, string expected, params string[] noted)
    {
        RootCommand root = new Tool(new ToolConsole(TextWriter.Null, TextWriter.Null), CliLine.Environment(), TimeProvider.System).CreateRoot();
        List<string> notes = [];
        Assert.Equal(expected, string.Join(' ', CommandWords.Normalize(root, line.Split(' '), notes)));
        Assert.Equal(noted, notes.Select(note => note.Split(' ')[0]));
    }

    /// <summary>A name that has a meaning here is never translated.</summary>
    [Fact]
    public void Normalize_OptionOfTheCommand_IsLeftAlone()
    {
        RootCommand root = new Tool(new ToolConsole(TextWriter.Null, TextWriter.Null), CliLine.Environment(), TimeProvider.System).CreateRoot();
        foreach (Command command in root.Subcommands)
        {
            foreach (string name in command.Options.SelectMany(option => option.Aliases.Append(option.Name)))
            {
                Assert.Equal([command.Name, name, "x"], CommandWords.Normalize(root, [command.Name, name, "x"], []));
            }
        }
    }

    [Theory]
    [InlineData("--concurency", "--concurrency")]
    [InlineData("--conc", "--concurrency")]
    [InlineData("--c", null)]
    [InlineData("--conucrrency", "--concurrency")]
    [InlineData("cpp", "cp")]
    [InlineData("sl", "ls")]
    [InlineData("frobnicate", null)]
    [InlineData("x", null)]
    public void Find_MisspelledWord_IsTheMostSimilarOne(string word, string? expected)
        => Assert.Equal(expected, Suggestion.Find(word, ["--concurrency", "--checksum", "cp", "ls", "verify"]));
}
