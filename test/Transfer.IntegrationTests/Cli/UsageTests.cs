using System.Text.Json;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary><c>transfer du</c>.</summary>
public sealed class UsageTests : ToolTest
{
    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Usage_Depth_SumsEachPrefixAndTheTotal(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        foreach ((string key, int length) in ((string, int)[])[("a/1", 10), ("a/b/2", 20), ("a/b/c/3", 1024), ("a-b/4", 40), ("top", 5)])
        {
            await tool.PutAsync(key, new byte[length]);
        }

        ToolOutcome total = (await tool.RunAsync("du", $"s3://{tool.Bucket}")).Expect(0);
        ToolOutcome two = (await tool.RunAsync("du", "--depth", "2", $"s3://{tool.Bucket}")).Expect(0);
        ToolOutcome below = (await tool.RunAsync("du", "--depth", "1", $"s3://{tool.Bucket}/a/")).Expect(0);

        Assert.Equal([$"  1.1 KiB        5 objects  s3://{tool.Bucket}/"], total.Lines);
        Assert.Equal(
            ["     40 B         1 object  a-b/", "    1 KiB        2 objects  a/b/", "    1 KiB        3 objects  a/", $"  1.1 KiB        5 objects  s3://{tool.Bucket}/"], two.Lines);
        Assert.Equal(["    1 KiB        2 objects  a/b/", $"    1 KiB        3 objects  s3://{tool.Bucket}/a/"], below.Lines);
        Assert.Empty(two.Error);
    }

    [Fact]
    public async Task Usage_Json_WritesALineForEachPrefixAndTheResult()
    {
        await PutAsync("a/x y", [1]);
        await PutAsync("b+%2B/x", [1, 2]);

        ToolOutcome outcome = (await RunAsync("du", "--depth", "1", $"s3://{Bucket}", "--json")).Expect(0);

        JsonElement[] lines = [.. outcome.Lines.Select(ToolOutcome.Parse)];
        Assert.Equal([("a/", 1, 1), ("b+%2B/", 1, 2), ($"s3://{Bucket}/", 2, 3)], lines.Select(line => (line.GetProperty("prefix").GetString()!, line.GetProperty("objects").GetInt32(), line.GetProperty("bytes").GetInt32())));
        Assert.EachEqual(("du", 2, 3), (outcome.Json.GetProperty("operation").GetString(), outcome.Json.GetProperty("objects").GetInt32(), outcome.Json.GetProperty("bytes").GetInt32()));
    }

    [Fact]
    public async Task Usage_MoreThanAPage_SumsAll()
    {
        await Task.WhenAll(Enumerable.Range(0, 1005).Select(number => PutAsync($"many/{number:0000}", [1]))).Within();
        ToolOutcome outcome = (await RunAsync("du", "--depth", "1", $"s3://{Bucket}", "--json")).Expect(0);
        Assert.Equal(2, outcome.Lines.Length);
        Assert.Equal(1005, ToolOutcome.Parse(outcome.Lines[0]).GetProperty("objects").GetInt32());
        Assert.Equal(2, outcome.Json.GetProperty("requests").GetInt32());
    }

    [Fact]
    public async Task Usage_NothingUnderThePrefix_Fails()
    {
        Assert.Contains("no objects found", (await RunAsync("du", $"s3://{Bucket}/nothing")).Expect(1).Error, StringComparison.Ordinal);
        Assert.Equal($"      0 B        0 objects  s3://{Bucket}/", Assert.Single((await RunAsync("du", $"s3://{Bucket}")).Expect(0).Lines));
        Assert.Contains("there is no such bucket", (await RunAsync("du", "s3://nobucket")).Expect(1).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Usage_KeysWithoutOrder_CanOnlyBeSummedAsAWhole()
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Text(
            "HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nContent-Type: application/xml",
            "<ListBucketResult><Name>bucket</Name><Contents><Key>b/1</Key><Size>1</Size></Contents><Contents><Key>a/1</Key><Size>1</Size></Contents></ListBucketResult>"));
        Environment["AWS_ENDPOINT_URL_S3"] = server.Url;
        (await RunAsync("du", $"s3://{Bucket}")).Expect(0);
        Assert.Contains("does not list keys in order", (await RunAsync("du", "--depth", "1", $"s3://{Bucket}")).Expect(1).Error, StringComparison.Ordinal);
    }
}
