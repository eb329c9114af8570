using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>Uses clients of other vendors, to show that the server doesn't depend on this project's understanding of S3.</summary>
public sealed class ForeignClientTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [ProgramFact("rclone")]
    public async Task Rclone_TreeUploadedAndDownloaded_IsTheSame()
    {
        await using EmbeddedS3Server server = await StartAsync();
        var environment = new Dictionary<string, string>
        {
            ["RCLONE_CONFIG"] = _folder.File("rclone.conf"),
            ["RCLONE_CONFIG_X_TYPE"] = "s3",
            ["RCLONE_CONFIG_X_PROVIDER"] = "Other",
            ["RCLONE_CONFIG_X_ENDPOINT"] = server.Endpoint.ToString(),
            ["RCLONE_CONFIG_X_REGION"] = server.Region,
            ["RCLONE_CONFIG_X_ACCESS_KEY_ID"] = server.AccessKeyId,
            ["RCLONE_CONFIG_X_SECRET_ACCESS_KEY"] = server.SecretAccessKey,
            ["RCLONE_CONFIG_X_UPLOAD_CUTOFF"] = "6M",
            ["RCLONE_CONFIG_X_CHUNK_SIZE"] = "5M",
        };
        string source = CreateTree();

        await ExternalProgram.RunAsync("rclone", environment, "copy", source, "x:tree/up");
        await ExternalProgram.RunAsync("rclone", environment, "check", "--download", source, "x:tree/up");
        await ExternalProgram.RunAsync("rclone", environment, "copy", "x:tree/up", _folder.File("down"));
        AssertSameTree(source, _folder.File("down"));
        Assert.True(server.Statistics.RequestCount("UploadPart") > 2);
        await ExternalProgram.RunAsync("rclone", environment, "copy", "x:tree/up", "x:tree/copied");
        await ExternalProgram.RunAsync("rclone", environment, "check", source, "x:tree/copied", "--size-only");
        await ExternalProgram.RunAsync("rclone", environment, "purge", "x:tree");

        Assert.Equal(0, server.Statistics.OpenMultipartUploads);
    }

    [ProgramFact("s3cmd")]
    public async Task S3Cmd_TreeUploadedAndDownloaded_IsTheSame()
    {
        await using EmbeddedS3Server server = await StartAsync();
        string config = _folder.File("s3cfg");
        await File.WriteAllTextAsync(config, "[default]\n");
        string[] common =
        [
            "-c", config, "--no-ssl", $"--host={server.Endpoint.Authority}", $"--host-bucket={server.Endpoint.Authority}", $"--region={server.Region}",
            $"--access_key={server.AccessKeyId}", $"--secret_key={server.SecretAccessKey}", "--multipart-chunk-size-mb=5", "--no-progress",
        ];
        string source = CreateTree();

        await RunAsync("mb", "s3://tree");
        await RunAsync("sync", source + "/", "s3://tree/up/");
        await RunAsync("sync", "s3://tree/up/", _folder.File("down") + "/");
        AssertSameTree(source, _folder.File("down"));
        Assert.True(server.Statistics.RequestCount("UploadPart") > 2);
        await RunAsync("ls", "-r", "s3://tree");
        await RunAsync("del", "-r", "-f", "s3://tree");
        await RunAsync("rb", "s3://tree");

        Task RunAsync(params string[] arguments) => ExternalProgram.RunAsync("s3cmd", new Dictionary<string, string>(), [.. common, .. arguments]);
    }

    [ProgramFact("aws")]
    public async Task AwsCli_TreeUploadedAndDownloaded_IsTheSame()
    {
        await using EmbeddedS3Server server = await StartAsync();
        var environment = new Dictionary<string, string>
        {
            ["AWS_ACCESS_KEY_ID"] = server.AccessKeyId,
            ["AWS_SECRET_ACCESS_KEY"] = server.SecretAccessKey,
            ["AWS_REGION"] = server.Region,
            ["AWS_ENDPOINT_URL"] = server.Endpoint.ToString(),
            ["AWS_CONFIG_FILE"] = _folder.File("none"),
            ["AWS_EC2_METADATA_DISABLED"] = "true",
        };
        string source = CreateTree();

        await ExternalProgram.RunAsync("aws", environment, "s3", "mb", "s3://tree");
        await ExternalProgram.RunAsync("aws", environment, "s3", "sync", source, "s3://tree/up");
        await ExternalProgram.RunAsync("aws", environment, "s3", "sync", "s3://tree/up", _folder.File("down"));
        AssertSameTree(source, _folder.File("down"));
        Assert.True(server.Statistics.RequestCount("UploadPart") > 1);
        await ExternalProgram.RunAsync("aws", environment, "s3", "rb", "--force", "s3://tree");
    }

    private static Task<EmbeddedS3Server> StartAsync() => EmbeddedS3Server.StartAsync().Within();

    private string CreateTree()
    {
        string root = _folder.File("source");
        string[] names = ["empty", "small", "a b+c/percent%20&=", "deep/er/é/file.bin", "large.bin"];
        int[] sizes = [0, 1, 1000, 100_000, (16 << 20) + 7];
        foreach ((string name, int size) in names.Zip(sizes))
        {
            string path = Path.Combine(root, name);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllBytes(path, Sample.Bytes(size, seed: size));
        }

        return root;
    }

    private static void AssertSameTree(string expected, string actual)
    {
        string[] names = [.. Files(expected)];
        Assert.Equal(names, Files(actual));
        foreach (string name in names)
        {
            Assert.True(File.ReadAllBytes(Path.Combine(expected, name)).AsSpan().SequenceEqual(File.ReadAllBytes(Path.Combine(actual, name))), name);
        }
    }

    private static IEnumerable<string> Files(string root) =>
        Directory.EnumerateFiles(root, "*", SearchOption.AllDirectories).Select(path => Path.GetRelativePath(root, path)).Order(StringComparer.Ordinal);
}
