using System.Globalization;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Copies from one store to another with the tool.</summary>
public sealed class TwoStoresTests : ToolTest
{
    private const int PartBytes = 8 << 20;

    [Theory]
    [InlineData(1)]
    [InlineData((2 * PartBytes) + 1)]
    public async Task Copy_ToAnotherEndpoint_KeepsContentAndProperties(int length)
    {
        await using ToolStore target = await ToolStore.StartAsync(Store.Embedded);
        byte[] content = Sample.Bytes(length);
        string file = await WriteFileAsync("file", content);
        (await RunAsync("cp", "--content-type", "text/own", "--tag", "team=x", file, $"s3://{Bucket}/dir/file")).Expect(0);

        ToolOutcome outcome = (await RunAsync("cp", "--to-endpoint-url", GetEndpoint(target), $"s3://{Bucket}/dir/file", $"s3://{target.Bucket}/copy/", "--json")).Expect(0);

        Assert.EachEqual(("verified", length), (outcome.Json.GetProperty("checksum").GetProperty("verdict").GetString(), outcome.Json.GetProperty("bytes").GetInt32()));
        GetObjectMetadataResponse head = await target.Store.S3.GetObjectMetadataAsync(target.Bucket, "copy/file").Within();
        Assert.EachEqual(("text/own", (long)length), (head.Headers.ContentType, head.ContentLength));
        (await RunAsync("cp", "--from-endpoint-url", GetEndpoint(target), $"s3://{target.Bucket}/copy/file", $"s3://{Bucket}/back")).Expect(0);
        Assert.Equal(content, await GetAsync("back"));
        Assert.Equal("team=x", (await RunAsync("tag", $"s3://{Bucket}/back")).Expect(0).Lines[0]);
    }

    [Fact]
    public async Task Copy_ManyObjects_CopiesAndSkips()
    {
        await using ToolStore target = await ToolStore.StartAsync(Store.Embedded);
        string[] to = ["--to-endpoint-url", GetEndpoint(target)];
        for (int i = 0; i < 20; i++)
        {
            await PutAsync($"in/{i.ToString(CultureInfo.InvariantCulture)}", Sample.Bytes(i));
        }

        ToolOutcome planned = (await RunAsync(["cp", "-r", "--dry-run", .. to, $"s3://{Bucket}/in", $"s3://{target.Bucket}/out"])).Expect(0);
        ToolOutcome first = (await RunAsync(["cp", "-r", "--json", .. to, $"s3://{Bucket}/in", $"s3://{target.Bucket}/out"])).Expect(0);
        ToolOutcome again = (await RunAsync(["cp", "-r", "--json", "--no-clobber", .. to, $"s3://{Bucket}/in", $"s3://{target.Bucket}/out"])).Expect(0);
        ToolOutcome several = (await RunAsync(["cp", "--json", .. to, $"s3://{Bucket}/in/1", $"s3://{Bucket}/in/2", $"s3://{target.Bucket}/two/"])).Expect(0);

        Assert.Contains($"s3://{target.Bucket}/out/7", planned.Text, StringComparison.Ordinal);
        Assert.EachEqual((20, 0, 2), (Objects(first), Objects(again), Objects(several)));
        Assert.Equal(20, (await target.Store.S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = target.Bucket, Prefix = "out/" }).Within()).KeyCount);

        static int Objects(ToolOutcome outcome) => outcome.Json.GetProperty("objects").GetInt32();
    }

    [Fact]
    public async Task Copy_ProfileOfEachStore_UsesItsEndpointAndKeys()
    {
        await using ToolStore target = await ToolStore.StartAsync(Store.Embedded);
        await PutAsync("key", Sample.Bytes(100));
        Environment["AWS_CONFIG_FILE"] = await WriteFileAsync("config", System.Text.Encoding.UTF8.GetBytes(
            $"[profile old]\nregion = us-east-1\nendpoint_url = {Server.Endpoint}\naws_access_key_id = {Server.AccessKeyId}\naws_secret_access_key = {Server.SecretAccessKey}\n"
            + $"[profile new]\nregion = us-east-1\nendpoint_url = {GetEndpoint(target)}\naws_access_key_id = {target.Environment["AWS_ACCESS_KEY_ID"]}\n"
            + $"aws_secret_access_key = {target.Environment["AWS_SECRET_ACCESS_KEY"]}\n"));
        Environment["AWS_ENDPOINT_URL_S3"] = "http://127.0.0.1:1";
        Environment["AWS_SECRET_ACCESS_KEY"] = "wrong";

        (await RunAsync("cp", "--from-profile", "old", "--to-profile", "new", $"s3://{Bucket}/key", $"s3://{target.Bucket}/key")).Expect(0);

        Assert.Equal(100, (await target.Store.S3.GetObjectMetadataAsync(target.Bucket, "key").Within()).ContentLength);
    }

    [Fact]
    public async Task Copy_Fails_ErrorNamesTheSide()
    {
        await using ToolStore target = await ToolStore.StartAsync(Store.Embedded);
        string[] to = ["--to-endpoint-url", GetEndpoint(target)];
        await PutAsync("key", Sample.Bytes(100));

        ToolOutcome missing = (await RunAsync(["cp", .. to, $"s3://{Bucket}/none", $"s3://{target.Bucket}/key"])).Expect(1);
        ToolOutcome bucket = (await RunAsync(["cp", .. to, $"s3://{Bucket}/key", "s3://no-such-bucket/key"])).Expect(1);
        ToolOutcome upload = (await RunAsync(["cp", .. to, await WriteFileAsync("file", [1]), $"s3://{target.Bucket}/key"])).Expect(2);
        ToolOutcome align = (await RunAsync(["cp", "--align-parts", .. to, $"s3://{Bucket}/key", $"s3://{target.Bucket}/key"])).Expect(2);

        Assert.Contains($"transfer: source s3://{Bucket}/none: ", missing.Error, StringComparison.Ordinal);
        Assert.Contains("transfer: target s3://no-such-bucket/key: ", bucket.Error, StringComparison.Ordinal);
        Assert.Contains("--to-profile", upload.Error, StringComparison.Ordinal);
        Assert.Contains("--align-parts", align.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Copy_Range_IsTheObject()
    {
        await using ToolStore target = await ToolStore.StartAsync(Store.Embedded);
        byte[] content = Sample.Bytes(100);
        await PutAsync("key", content);

        (await RunAsync(["cp", "--range", "-10", "--to-endpoint-url", GetEndpoint(target), $"s3://{Bucket}/key", $"s3://{target.Bucket}/end"])).Expect(0);

        (await RunAsync("cp", "--endpoint-url", GetEndpoint(target), $"s3://{target.Bucket}/end", GetPath("end"))).Expect(0);
        Assert.Equal(content[^10..], await File.ReadAllBytesAsync(GetPath("end")));
    }

    private static string GetEndpoint(ToolStore store) => store.Environment["AWS_ENDPOINT_URL_S3"];
}
