using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Cli;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Documentation;

/// <summary>Runs the shell code blocks of the documentation. Each page has a folder and a server for itself.</summary>
[LongRunning]
public sealed class ShellExampleTests
{
    private const int FileBytes = 9 << 20; // two parts
    private static readonly TimeSpan BlockDeadline = TimeSpan.FromMinutes(3);

    [ProgramFact("bash")]
    public async Task Examples_Succeed()
    {
        foreach (string page in MarkdownPages.All)
        {
            await RunAsync([.. MarkdownPages.Blocks(page).Where(block => block.Language == CodeBlock.Shell)]);
        }
    }

    [ProgramFact("bash")]
    public async Task Run_CommandFails_ErrorNamesPageAndLine()
    {
        CodeBlock[] blocks =
        [
            new("docs/page.md", 10, CodeBlock.Shell, "transfer ls s3://bucket/movies/"),
            new("docs/page.md", 20, CodeBlock.Shell, "transfer ls s3://no-such-bucket | cat\ntransfer ls"),
        ];

        Xunit.Sdk.XunitException failure = await Assert.ThrowsAnyAsync<Xunit.Sdk.XunitException>(() => RunAsync(blocks));

        Assert.Contains("docs/page.md(20)", failure.Message, StringComparison.Ordinal);
    }

    private static async Task RunAsync(CodeBlock[] blocks)
    {
        if (blocks.Length == 0)
        {
            return;
        }

        using TemporaryFolder folder = new();
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = ["bucket", "other"] });
        string work = folder.File("work");
        await PrepareAsync(work, server);
        Dictionary<string, string> environment = Environment(server, folder);
        foreach (CodeBlock block in blocks)
        {
            try
            {
                await ExternalProgram.RunAsync("bash", environment, BlockDeadline, "-euo", "pipefail", "-c", $"cd '{work}'\n{block.Text}");
            }
            catch (Xunit.Sdk.XunitException e)
            {
                Assert.Fail($"{block.Page}({block.Line}): {e.Message}");
            }
        }
    }

    /// <summary>Creates the files and objects that the examples name.</summary>
    private static async Task PrepareAsync(string work, EmbeddedS3Server server)
    {
        using AmazonS3Client s3 = server.CreateClient();
        foreach ((string path, string? key) in ((string, string?)[])[("movie.mkv", "movies/movie.mkv"), ("big.iso", null), ("photos/1.jpg", "photos/1.jpg"), ("photos/raw/2.jpg", "photos/raw/2.jpg")])
        {
            string file = Path.Combine(work, path);
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            await File.WriteAllBytesAsync(file, Sample.Bytes(path.StartsWith("photos", StringComparison.Ordinal) ? 1000 : FileBytes));
            if (key is not null)
            {
                await s3.PutObjectAsync(new PutObjectRequest { BucketName = "bucket", Key = key, FilePath = file }).Within();
            }
        }
    }

    private static Dictionary<string, string> Environment(EmbeddedS3Server server, TemporaryFolder folder)
    {
        string programs = Directory.CreateDirectory(folder.File("bin")).FullName;
        string tool = Path.Combine(programs, "transfer");
        File.WriteAllText(tool, $"#!/bin/sh\nexec {string.Join(' ', ToolFile.UnderTest.Command.Select(static word => $"'{word}'"))} \"$@\"\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(tool, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        }

        return new Dictionary<string, string>
        {
            ["PATH"] = $"{programs}{Path.PathSeparator}{System.Environment.GetEnvironmentVariable("PATH")}",
            ["AWS_ENDPOINT_URL_S3"] = server.Endpoint.ToString(),
            ["AWS_ACCESS_KEY_ID"] = server.AccessKeyId,
            ["AWS_SECRET_ACCESS_KEY"] = server.SecretAccessKey,
            ["AWS_CONFIG_FILE"] = folder.File("none"),
            ["AWS_SHARED_CREDENTIALS_FILE"] = folder.File("none"),
            ["XDG_STATE_HOME"] = folder.File("state"),
        };
    }
}
