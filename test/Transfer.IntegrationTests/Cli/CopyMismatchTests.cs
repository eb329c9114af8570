using System.Text.Json;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Transfers;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>The messages and the exit code of the tool if content doesn't match the checksum of the store.</summary>
public sealed class CopyMismatchTests : ToolTest
{
    private static readonly byte[] Content = Sample.Bytes(300_000);

    [Theory]
    [InlineData(ChecksumAlgorithm.Md5, false, "md5")]
    [InlineData(ChecksumAlgorithm.Sha256, false, "sha256")]
    [InlineData(ChecksumAlgorithm.Crc32C, true, "crc32c")]
    public async Task Copy_ContentDiffers_ExitsWith3AndLeavesNothing(ChecksumAlgorithm algorithm, bool isComposite, string name)
    {
        int[] parts = isComposite ? [100_000, 200_000] : [];
        DamagedStore damaged = new(Content, DamagedStore.Damaged(Content), algorithm, parts);
        await using ScriptedServer server = new(damaged.Answer);
        Directory.CreateDirectory(GetPath("empty"));

        ToolOutcome outcome = (await RunAsync("cp", "s3://bucket/key", GetPath("empty/target"), "--endpoint-url", server.Url, "--part-size", "64KiB", "--json")).Expect(3);
        ToolOutcome folder = (await RunAsync("cp", "-r", "s3://bucket/folder", GetPath("empty"), "--endpoint-url", server.Url, "--part-size", "64KiB", "--json")).Expect(3);

        JsonElement checksum = outcome.Json.GetProperty("checksum");
        Assert.EachEqual((name, "mismatch"), (checksum.GetProperty("algorithm").GetString(), checksum.GetProperty("verdict").GetString()));
        Assert.NotEqual(damaged.Checksum, checksum.GetProperty("value").GetString());
        Assert.Contains(damaged.Checksum, outcome.Error, StringComparison.Ordinal);
        Assert.Equal("mismatch", folder.Json.GetProperty("checksum").GetProperty("verdict").GetString());
        Assert.Empty(Directory.EnumerateFileSystemEntries(GetPath("empty")));
    }

    [Theory]
    [InlineData(ChecksumAlgorithm.Md5, false, "md5")]
    [InlineData(ChecksumAlgorithm.Sha1, false, "sha1")]
    [InlineData(ChecksumAlgorithm.Crc32, true, "crc32")]
    public async Task Copy_ContentMatches_ReportsAlgorithmAndValue(ChecksumAlgorithm algorithm, bool isComposite, string name)
    {
        int[] parts = isComposite ? [100_000, 200_000] : [];
        DamagedStore sound = new(Content, Content, algorithm, parts);
        await using ScriptedServer server = new(sound.Answer);

        ToolOutcome json = (await RunAsync("cp", "s3://bucket/key", GetPath("target"), "--endpoint-url", server.Url, "--part-size", "64KiB", "--json")).Expect(0);
        ToolOutcome text = (await RunAsync("cp", "s3://bucket/key", GetPath("target"), "--endpoint-url", server.Url)).Expect(0);
        ToolOutcome off = (await RunAsync("cp", "s3://bucket/key", GetPath("target"), "--endpoint-url", server.Url, "--checksum", "none")).Expect(0);

        JsonElement checksum = json.Json.GetProperty("checksum");
        Assert.EachEqual((name, "verified", sound.Checksum), (checksum.GetProperty("algorithm").GetString(), checksum.GetProperty("verdict").GetString(), checksum.GetProperty("value").GetString()));
        Assert.Contains($"verified ({(isComposite ? "composite " : string.Empty)}{name} {sound.Checksum})", text.Error, StringComparison.Ordinal);
        Assert.Contains("unverified (verification was turned off)", off.Error, StringComparison.Ordinal);
        Assert.Equal(Content, await File.ReadAllBytesAsync(GetPath("target")));
    }
}
