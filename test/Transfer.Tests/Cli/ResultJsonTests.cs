using System.Text.Json;
using Transfer.Cli.Execution;
using Transfer.Cli.Rendering;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Cli;

public sealed class ResultJsonTests
{
    private static readonly string[] Fields =
    [
        "operation", "bytes", "objects", "failed", "seconds", "mib_per_second", "requests", "retries", "hedged", "peak_buffer_bytes", "checksum", "errors",
    ];

    [Fact]
    public void ToResult_Serialized_HasExactlyTheFieldsOfTheContract()
    {
        FakeTimeProvider time = new();
        Tally tally = new(time) { Bytes = 3 << 20, Objects = 1, Requests = 2, Checksum = new ChecksumJson("crc64nvme", "verified", "a+b/c=") };
        tally.AddError(new ErrorJson("k", "text", "id"));
        time.Advance(TimeSpan.FromSeconds(2));

        string text = JsonSerializer.Serialize(tally.ToResult("cp"), ToolJsonContext.Instance.ResultJson);

        using JsonDocument json = JsonDocument.Parse(text);
        JsonElement root = json.RootElement;
        Assert.Equal(Fields, root.EnumerateObject().Select(property => property.Name));
        Assert.Equal(["algorithm", "verdict", "value"], root.GetProperty("checksum").EnumerateObject().Select(property => property.Name));
        Assert.Equal(["key", "error", "request_id"], root.GetProperty("errors")[0].EnumerateObject().Select(property => property.Name));
        Assert.Equal(1.5, root.GetProperty("mib_per_second").GetDouble());
        Assert.Contains("a+b/c=", text, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', text);
    }

    [Fact]
    public void ToResult_OfAComparisonOfMany_CountsEachKind()
    {
        Tally tally = new(new FakeTimeProvider()) { Compared = new ComparedJson(1, 2, 3, 4, 5, 6) };

        string text = JsonSerializer.Serialize(tally.ToResult("verify"), ToolJsonContext.Instance.ResultJson);

        Assert.Contains("\"compared\":{\"same\":1,\"different\":2,\"missing_here\":3,\"missing_there\":4,\"not_compared\":5,\"failed\":6}", text, StringComparison.Ordinal);
    }
}
