using System.Text.Json;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

public sealed class CatTests : ToolTest
{
    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Cat_SeveralObjects_WritesThemInOrder(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        byte[] large = Sample.Bytes((9 << 20) + 3);
        await tool.PutAsync("b", large);
        await tool.PutAsync("a", [1, 2, 3]);
        await tool.PutAsync("empty", []);

        ToolOutcome outcome = (await tool.RunAsync("cat", $"s3://{tool.Bucket}/b", $"s3://{tool.Bucket}/empty", $"s3://{tool.Bucket}/a", "--part-size", "1MiB")).Expect(0);

        Assert.Equal([.. large, 1, 2, 3], outcome.Output);
        Assert.Empty(outcome.Error);
    }

    [Theory]
    [InlineData("2-4", new byte[] { 2, 3, 4 })]
    [InlineData("8-", new byte[] { 8, 9 })]
    [InlineData("-1", new byte[] { 9 })]
    public async Task Cat_Range_WritesIt(string range, byte[] expected)
    {
        await PutAsync("k", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        Assert.Equal(expected, (await RunAsync("cat", "--range", range, $"s3://{Bucket}/k")).Expect(0).Output);
    }

    [Fact]
    public async Task Cat_Json_WritesTheResultToStandardError()
    {
        await PutAsync("a", [1, 2]);
        await PutAsync("b", [3]);

        ToolOutcome outcome = (await RunAsync("cat", "--json", $"s3://{Bucket}/a", $"s3://{Bucket}/b")).Expect(0);

        Assert.Equal([1, 2, 3], outcome.Output);
        JsonElement result = ToolOutcome.Parse(outcome.Error.TrimEnd());
        Assert.EachEqual(("cat", 2, 3), (result.GetProperty("operation").GetString(), result.GetProperty("objects").GetInt32(), result.GetProperty("bytes").GetInt64()));
    }

    [Fact]
    public async Task Cat_MissingObject_StopsThere()
    {
        await PutAsync("a", [1]);
        await PutAsync("b", [2]);

        ToolOutcome outcome = (await RunAsync("cat", $"s3://{Bucket}/a", $"s3://{Bucket}/nothing", $"s3://{Bucket}/b")).Expect(1);

        Assert.Equal([1], outcome.Output);
        Assert.Contains($"s3://{Bucket}/nothing: there is no such key", outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Cat_DamagedContent_IsAMismatch()
    {
        await PutAsync("k", Sample.Bytes(1000));
        Server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.FlipDownload) { Operation = "GetObject" }] });
        ToolOutcome outcome = (await RunAsync("cat", $"s3://{Bucket}/k")).Expect(3);
        Assert.Contains("checksum", outcome.Error, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task Cat_ReaderCloses_EndsWithoutAMessage()
    {
        await PutAsync("k", Sample.Bytes(20 << 20));
        using ToolProcess tool = ToolProcess.Start(Environment, "cat", $"s3://{Bucket}/k");
        await tool.Output.ReadExactlyAsync(new byte[100]).Within();
        tool.CloseOutput();
        ToolOutcome outcome = (await tool.EndAsync(readOutput: false)).Expect(1);
        Assert.Empty(outcome.Error);
    }
}
