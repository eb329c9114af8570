using System.CommandLine;
using Transfer.Cli;
using Transfer.Cli.Execution;
using Transfer.Cli.Rendering;

namespace Transfer.Tests.Cli;

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
    [InlineData("mb --no-progress s3://b", "mb --no-progress s3://b")]
    [InlineData("help cp", "cp --help")]
    [InlineData("help cp --all", "cp --help-all")]
    [InlineData("help cp --help-all", "cp --help-all")]
    [InlineData("help", "--help")]
    [InlineData("version", "--version")]
    public void Normalize_HabitsFromOtherTools_AreTranslated(string line, string expected)
    {
        RootCommand root = new Tool(new ToolConsole(TextWriter.Null, TextWriter.Null), CliLine.Environment(), TimeProvider.System).CreateRoot();
        Assert.Equal(expected, string.Join(' ', CommandWords.Normalize(root, line.Split(' '))));
    }

    [Theory]
    [InlineData("--concurency", "--concurrency")]
    [InlineData("--conucrrency", "--concurrency")]
    [InlineData("cpp", "cp")]
    [InlineData("sl", "ls")]
    [InlineData("frobnicate", null)]
    [InlineData("x", null)]
    public void Find_MisspelledWord_IsTheMostSimilarOne(string word, string? expected)
        => Assert.Equal(expected, Suggestion.Find(word, ["--concurrency", "--checksum", "cp", "ls", "verify"]));
}
