using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Cli;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Security;

/// <summary>Names of objects and error messages of a store must not control the terminal.</summary>
public sealed class TerminalTests : IAsyncLifetime, IDisposable
{
    private const string Bucket = "bucket";

    /// <summary>A name that sets the title, clears the screen, sets colors by C1, reverses the writing direction, and starts a new line.</summary>
    private const string Evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egpj.\r\nexe";

    private readonly TemporaryFolder _folder = new();
    private EmbeddedS3Server _server = null!;

    public static TheoryData<string> Lines => new(
        "ls s3://bucket",
        "ls -r s3://bucket",
        "ls -r --json s3://bucket",
        "ls --uploads s3://bucket",
        "ls --uploads --json s3://bucket",
        "abort --dry-run s3://bucket",
        "cp -r --dry-run s3://bucket DOWN",
        "cp -r --dry-run --json s3://bucket DOWN",
        "cp -r --progress plain s3://bucket DOWN",
        "cp -r --progress plain --json s3://bucket DOWN",
        "cp -r --progress plain UP s3://bucket/p",
        "cp -r s3://bucket s3://no-such-bucket",
        "cp --progress plain s3://bucket/dir/EVIL FILE",
        "cp s3://bucket/missing/EVIL FILE",
        "cp UP/EVIL s3://no-such-bucket/EVIL",
        "verify UP s3://bucket/dir",
        "verify --json UP s3://bucket/dir",
        "verify UP/EVIL s3://bucket/dir/EVIL",
        "ls EVIL",
        "cp --part-size EVIL a s3://bucket/k");

    public async Task InitializeAsync()
    {
        _server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket] });
        using AmazonS3Client s3 = _server.CreateClient();
        foreach (string key in (string[])[Evil, "dir/" + Evil, Evil + "/x", "a/../" + Evil, "p/" + Evil])
        {
            using MemoryStream body = new([1, 2, 3]);
            await s3.PutObjectAsync(new PutObjectRequest { BucketName = Bucket, Key = key, InputStream = body }).Within();
        }

        await s3.InitiateMultipartUploadAsync(new InitiateMultipartUploadRequest { BucketName = Bucket, Key = Evil });
        Directory.CreateDirectory(_folder.File("up"));
        await File.WriteAllTextAsync(Path.Combine(_folder.File("up"), Evil), "up");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task Names_InTheOutputOfEveryCommand_AreEscaped(string line)
    {
        string[] arguments = [.. line.Split(' ').Select(word => word
            .Replace("EVIL", Evil, StringComparison.Ordinal)
            .Replace("UP", _folder.File("up"), StringComparison.Ordinal)
            .Replace("DOWN", _folder.File("down"), StringComparison.Ordinal)
            .Replace("FILE", _folder.File("file"), StringComparison.Ordinal))];

        string written = await RunAsync(_server.Endpoint.ToString(), arguments);

        AssertHarmless(written);
        Assert.Equal(written.Contains("owned", StringComparison.Ordinal), written.Contains("\\u001b", StringComparison.OrdinalIgnoreCase)); // shown in escaped form
    }

    [Theory]
    [InlineData("ls s3://bucket")]
    [InlineData("ls --json s3://bucket")]
    [InlineData("ls")]
    [InlineData("ls --uploads s3://bucket")]
    [InlineData("abort s3://bucket")]
    [InlineData("cp s3://bucket/k FILE")]
    [InlineData("cp --json s3://bucket/k FILE")]
    [InlineData("cp UP s3://bucket/k")]
    [InlineData("cp -r s3://bucket DOWN")]
    [InlineData("verify UP s3://bucket/k")]
    public async Task Errors_OfTheStore_AreEscaped(string line)
    {
        const string message = "&#x9b;31m&#x202e;no\u009b2J&#13;&#10;transfer: done";
        string upload = _folder.File("upload");
        await File.WriteAllTextAsync(upload, "up");
        foreach (string more in (string[])["", "\u001b[31m"])
        {
            await using ScriptedServer server = new(_ => ScriptedAnswer.Text(
                $"HTTP/1.1 403 N\u009b31mo\r\nx-amz-request-id: R\u001b[31m\u009b1{more}", $"<Error><Code>Evil{message}</Code><Message>{message}{more}</Message></Error>"));
            string[] arguments = [.. line.Split(' ').Select(word => word
                .Replace("UP", upload, StringComparison.Ordinal)
                .Replace("DOWN", _folder.File("down"), StringComparison.Ordinal)
                .Replace("FILE", _folder.File("file"), StringComparison.Ordinal))];

            AssertHarmless(await RunAsync(server.Url, arguments));
            Assert.NotEmpty(server.Requests);
        }
    }

    /// <summary>Runs a command as on a terminal, with all output that the tool supports.</summary>
    private async Task<string> RunAsync(string endpoint, string[] arguments)
    {
        Dictionary<string, string> environment = new()
        {
            ["AWS_ENDPOINT_URL_S3"] = endpoint,
            ["AWS_ACCESS_KEY_ID"] = _server.AccessKeyId,
            ["AWS_SECRET_ACCESS_KEY"] = _server.SecretAccessKey,
            ["TRANSFER_DEBUG"] = "1",
            ["TRANSFER_PROGRESS"] = "plain",
        };
        using StringWriter output = new();
        using StringWriter error = new();
        using (ToolConsole console = new(output, error) { OutputIsTerminal = true, ErrorIsTerminal = true })
        {
            Tool tool = new(console, new ToolEnvironment(environment.GetValueOrDefault), TimeProvider.System);
            await tool.RunAsync(arguments, CancellationToken.None).Within();
        }

        return output.ToString() + error;
    }

    private static void AssertHarmless(string written)
    {
        Assert.NotEmpty(written);
        foreach (string text in written.Split(Environment.NewLine))
        {
            Assert.DoesNotContain(text, c => char.IsControl(c) || c is >= '\u202a' and <= '\u202e');
            Assert.NotEqual("transfer: done", text);
        }
    }
}
