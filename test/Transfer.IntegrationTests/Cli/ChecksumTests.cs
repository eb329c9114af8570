using System.Text.Json;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>The algorithms of <c>--checksum</c>.</summary>
public sealed class ChecksumTests : ToolTest
{
    [Theory]
    [InlineData("xxhash128")]
    [InlineData("sha1")]
    [InlineData("md5")]
    public async Task Copy_Algorithm_IsSentReportedAndVerified(string name)
    {
        string source = await WriteFileAsync("source.bin", Sample.Bytes(100_000));

        JsonElement up = (await RunAsync("cp", "--checksum", name, source, $"s3://{Bucket}/key", "--json")).Expect(0).Json.GetProperty("checksum");
        JsonElement down = (await RunAsync("cp", $"s3://{Bucket}/key", GetPath("target"), "--json")).Expect(0).Json.GetProperty("checksum");
        JsonElement verified = (await RunAsync("verify", source, $"s3://{Bucket}/key", "--json")).Expect(0).Json.GetProperty("checksum");
        ToolOutcome stat = (await RunAsync("stat", $"s3://{Bucket}/key")).Expect(0);

        string value = up.GetProperty("value").GetString()!;
        Assert.All(
            [up, down, verified],
            checksum => Assert.EachEqual((name, "verified", value), (checksum.GetProperty("algorithm").GetString(), checksum.GetProperty("verdict").GetString(), checksum.GetProperty("value").GetString())));
        Assert.Contains($"{name} {value}", stat.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Copy_UnknownAlgorithm_ErrorNamesAll()
        => Assert.Contains(
            "--checksum got 'xxhash32'; it accepts auto, crc64nvme, crc32c, crc32, sha1, sha256, sha512, xxhash64, xxhash3, xxhash128, md5, or none",
            (await RunAsync("cp", "--checksum", "xxhash32", await WriteFileAsync("source", [1]), $"s3://{Bucket}/key")).Expect(2).Error,
            StringComparison.Ordinal);
}
