using System.Text.Json;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Compares objects of two stores, or of one, with the tool.</summary>
public sealed class VerifyStoresTests : ToolTest
{
    private const int Large = (11 << 20) + 1;

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Objects_OfTwoStores_AreComparedByWhatBothHold(string store)
    {
        await using ToolStore target = await ToolStore.StartAsync(store);
        await PutAsync("a", Sample.Bytes(1000));
        string[] to = await ToAsync(target);
        (await RunAsync(["cp", .. to, $"s3://{Bucket}/a", $"s3://{target.Bucket}/copies/"])).Expect(0);

        ToolOutcome same = (await RunAsync(["verify", .. to, $"s3://{Bucket}/a", $"s3://{target.Bucket}/copies/", "--json"])).Expect(0);
        await PutAsync("a", [.. Sample.Bytes(999), 7]);
        ToolOutcome different = (await RunAsync(["verify", .. to, $"s3://{Bucket}/a", $"s3://{target.Bucket}/copies/a"])).Expect(3);

        Assert.EachEqual(("verified", 1000), (same.Json.GetProperty("checksum").GetProperty("verdict").GetString(), same.Json.GetProperty("bytes").GetInt32()));
        Assert.StartsWith($"transfer: s3://{Bucket}/a differs from s3://{target.Bucket}/copies/a: ", different.Error, StringComparison.Ordinal);
        (await RunAsync(["verify", .. to, $"s3://{Bucket}/a", $"s3://{target.Bucket}/none"])).Expect(1);
    }

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Objects_ChecksumsCannotBeCompared_AreReadUnlessThatIsTurnedOff(string store)
    {
        await using ToolStore target = await ToolStore.StartAsync(store);
        string file = await WriteFileAsync("file", Sample.Bytes(Large));
        (await RunAsync("cp", file, $"s3://{Bucket}/a", "--part-size", "5MiB", "--checksum", "sha256")).Expect(0);
        (await target.RunAsync("cp", file, $"s3://{target.Bucket}/a", "--part-size", "6MiB", "--checksum", "sha256")).Expect(0);
        string[] both = [.. await ToAsync(target), $"s3://{Bucket}/a", $"s3://{target.Bucket}/a"];

        ToolOutcome same = (await RunAsync(["verify", .. both])).Expect(0);
        ToolOutcome unread = (await RunAsync(["verify", "--no-read", .. both])).Expect(1);

        Assert.StartsWith("the same by content: 11 MiB", same.Error, StringComparison.Ordinal);
        Assert.Contains("reading the objects is turned off", unread.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Prefixes_EachDifferenceIsALine()
    {
        await using ToolStore target = await ToolStore.StartAsync(Store.Embedded);
        foreach (string name in (string[])["same", "d/other", "d/shorter", "missing"])
        {
            await PutAsync($"p/{name}", Sample.Bytes(100));
        }

        await target.PutAsync("q/same", Sample.Bytes(100));
        await target.PutAsync("q/d/other", [.. Sample.Bytes(99), 7]);
        await target.PutAsync("q/d/shorter", Sample.Bytes(99));
        await target.PutAsync("q/more", [1]);

        string[] to = await ToAsync(target);
        ToolOutcome outcome = (await RunAsync(["verify", .. to, $"s3://{Bucket}/p/", $"s3://{target.Bucket}/q"])).Expect(3);
        ToolOutcome json = (await RunAsync(["verify", "--json", "--quiet", .. to, $"s3://{Bucket}/p/", $"s3://{target.Bucket}/q"])).Expect(3);
        ToolOutcome some = (await RunAsync(["verify", .. to, "--include", "same", $"s3://{Bucket}/p/", $"s3://{target.Bucket}/q"])).Expect(0);

        string[] lines = [.. outcome.Lines.Order(StringComparer.Ordinal)];
        Assert.StartsWith("different      p/d/other: the source's crc32 is ", lines[0], StringComparison.Ordinal);
        Assert.Equal(
            [
                "different      p/d/shorter: the source has 100 bytes, and the target has 99",
                "missing here   p/more: there is no such object",
                "missing there  p/missing: there is no such object",
            ],
            lines[1..]);
        Assert.Equal($"transfer: s3://{Bucket}/p/ differs from s3://{target.Bucket}/q/: 1 the same, 2 different, 1 missing here, 1 missing there", outcome.Error.Trim());
        JsonElement compared = json.Json.GetProperty("compared");
        Assert.EachEqual((1, 2, 1, 1), (compared.GetProperty("same").GetInt32(), compared.GetProperty("different").GetInt32(), compared.GetProperty("missing_here").GetInt32(), compared.GetProperty("missing_there").GetInt32()));
        Assert.True(json.Json.GetProperty("requests").GetInt32() >= 2);
        Assert.StartsWith("the same: 1 object, 100 B", some.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Prefixes_OfOneStore_AreCompared()
    {
        await PutAsync("p/a", Sample.Bytes(100));
        (await RunAsync("cp", "-r", $"s3://{Bucket}/p", $"s3://{Bucket}/q")).Expect(0);

        Assert.StartsWith("the same: 1 object", (await RunAsync("verify", "-r", $"s3://{Bucket}/p", $"s3://{Bucket}/q")).Expect(0).Error, StringComparison.Ordinal);
        Assert.StartsWith("the same by", (await RunAsync("verify", $"s3://{Bucket}/p/a", $"s3://{Bucket}/q/a")).Expect(0).Error, StringComparison.Ordinal);
    }

    /// <summary>Gets the options of both stores, which have keys of their own.</summary>
    private async Task<string[]> ToAsync(ToolStore target)
    {
        Environment["AWS_CONFIG_FILE"] = await WriteFileAsync("config", System.Text.Encoding.UTF8.GetBytes(
            $"[profile old]\nregion = us-east-1\nendpoint_url = {Server.Endpoint}\naws_access_key_id = {Server.AccessKeyId}\naws_secret_access_key = {Server.SecretAccessKey}\n"
            + $"[profile new]\nregion = us-east-1\nendpoint_url = {target.Environment["AWS_ENDPOINT_URL_S3"]}\naws_access_key_id = {target.Environment["AWS_ACCESS_KEY_ID"]}\n"
            + $"aws_secret_access_key = {target.Environment["AWS_SECRET_ACCESS_KEY"]}\n"));
        return ["--from-profile", "old", "--to-profile", "new"];
    }
}
