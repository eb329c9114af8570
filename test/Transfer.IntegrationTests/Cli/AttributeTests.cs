using System.Runtime.Versioning;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Keeps the times, permissions, and owners of files with the tool.</summary>
public sealed class AttributeTests : ToolTest
{
    private const UnixFileMode Odd = UnixFileMode.UserRead | UnixFileMode.UserExecute | UnixFileMode.OtherRead;
    private static readonly DateTime Time = new(2021, 2, 3, 4, 5, 6, DateTimeKind.Utc);

    [LinuxTheory]
    [Stores("cp", "cp -r", "sync", OurWireOnly = true)]
    [SupportedOSPlatform("linux")]
    public async Task Attributes_ComeBack(string store, string command)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        Directory.CreateDirectory(GetPath("in"));
        Directory.CreateDirectory(GetPath("out"));
        string path = await WriteFileAsync("in/a", [1, 2, 3]);
        File.SetUnixFileMode(path, Odd | UnixFileMode.SetUser);
        File.SetLastWriteTimeUtc(path, Time);
        string[] words = command.Split(' ');
        (string from, string there, string to) = command == "cp" ? (path, $"s3://{tool.Bucket}/p/a", GetPath("out/a")) : (GetPath("in"), $"s3://{tool.Bucket}/p", GetPath("out"));

        ToolOutcome up = (await tool.RunAsync([.. words, "--attributes", "mtime,mode,owner", from, there])).Expect(0);
        ToolOutcome down = (await tool.RunAsync([.. words, "--attributes", "mtime, mode, owner", there, to])).Expect(0);

        Amazon.S3.Model.MetadataCollection metadata = (await tool.Store.S3.GetObjectMetadataAsync(tool.Bucket, "p/a").Within()).Metadata;
        Assert.Equal(["x-amz-meta-gid", "x-amz-meta-mode", "x-amz-meta-mtime", "x-amz-meta-uid"], metadata.Keys.Order(StringComparer.Ordinal));
        Assert.Equal("104504", metadata["mode"]);
        Assert.EachEqual((Odd, Time), (File.GetUnixFileMode(GetPath("out/a")), File.GetLastWriteTimeUtc(GetPath("out/a"))));
        Assert.DoesNotContain("warning", up.Error, StringComparison.Ordinal);
        Assert.Equal(!System.Environment.IsPrivilegedProcess, down.Error.Contains("warning: only root can change the owners of files", StringComparison.Ordinal));
    }

    [RootFact]
    public async Task Owner_IsRestoredByRoot()
    {
        await S3.PutObjectAsync(new Amazon.S3.Model.PutObjectRequest { BucketName = Bucket, Key = "a", ContentBody = "x", Metadata = { ["uid"] = "4321", ["gid"] = "1234", ["mode"] = "106755" } }).Within();

        (await RunAsync("cp", "--attributes", "owner,mode", $"s3://{Bucket}/a", GetPath("a"))).Expect(0);
        (await RunAsync("cp", $"s3://{Bucket}/a", GetPath("b"))).Expect(0);

        Assert.Equal("4321 1234 755", await StatAsync("a"));
        Assert.StartsWith("0 0 ", await StatAsync("b"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("atime")]
    [InlineData("mtime,,mode")]
    [InlineData("")]
    public async Task OtherAttributes_AreRefused(string attributes)
    {
        ToolOutcome outcome = (await RunAsync("cp", "--attributes", attributes, GetPath("a"), $"s3://{Bucket}/a")).Expect(2);

        Assert.Contains("--attributes", outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task CopyInsideTheStore_RefusesThem()
    {
        await PutAsync("a", [1]);

        ToolOutcome outcome = (await RunAsync("cp", "--attributes", "mode", $"s3://{Bucket}/a", $"s3://{Bucket}/b")).Expect(2);

        Assert.Contains("--attributes", outcome.Error, StringComparison.Ordinal);
    }

    private async Task<string> StatAsync(string name)
        => (await ExternalProgram.RunInAsync(GetPath("."), "stat", new Dictionary<string, string>(), Deadline.Longest, "-c", "%u %g %a", GetPath(name))).Trim();
}
