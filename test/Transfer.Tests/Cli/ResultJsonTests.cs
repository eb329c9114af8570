using System.Text.Json;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Cli;

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

        string text = Serialize(tally, "cp");

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
    public void ToResult_LostProperties_AreNamed()
    {
        Tally tally = new(new FakeTimeProvider());
        tally.Lost.Add(["tags"]);

        string text = Serialize(tally, "cp");

        Assert.Contains("\"lost\":{\"objects\":1,\"properties\":[\"tags\"]}", text, StringComparison.Ordinal);
    }

    [Fact]
    public void ToResult_Copy_IncludesTimesAndBottleneck()
    {
        TransferTimes times = new()
        {
            WaitingForSlot = TimeSpan.FromSeconds(1.5),
            WaitingForMemory = TimeSpan.FromSeconds(2),
            WaitingForReader = TimeSpan.FromSeconds(3),
            WaitingForSource = TimeSpan.FromSeconds(4),
            Disk = TimeSpan.FromSeconds(5),
            FirstByte = TimeSpan.FromSeconds(6),
            Data = TimeSpan.FromSeconds(7),
            Processing = TimeSpan.FromSeconds(8),
            ThrottlingBackoff = TimeSpan.FromSeconds(9),
            Backoff = TimeSpan.FromSeconds(10),
            RateLimit = TimeSpan.FromSeconds(11),
            Bottleneck = Bottleneck.Network,
        };
        Tally tally = new(new FakeTimeProvider()) { Bytes = 1, Times = times, Concurrency = new ConcurrencyJson(new DirectionJson(36, 0.71), new DirectionJson(16, null)) };

        string text = Serialize(tally, "cp");

        Assert.Contains(
            "\"peak_buffer_bytes\":0,\"limited_by\":\"network\",\"time\":{\"slot\":1.5,\"memory\":2,\"reader\":3,\"source\":4,\"disk\":5,\"first_byte\":6,\"data\":7,\"cpu\":8,"
            + "\"throttling\":9,\"backoff\":10,\"rate_limit\":11},\"concurrency\":{\"download\":{\"limit\":36,\"efficiency\":0.71},\"upload\":{\"limit\":16,\"efficiency\":null}},\"checksum\"",
            text,
            StringComparison.Ordinal);
    }

    [Fact]
    public void BottleneckText_EveryValue_HasAUniqueName()
    {
        Bottleneck[] all = [.. Enum.GetValues<Bottleneck>().Where(value => value != Bottleneck.None)];

        Assert.Equal(all.Length, all.Select(BottleneckText.GetJsonName).OfType<string>().Distinct().Count());
        Assert.Equal("--limit-rate", BottleneckText.GetName(Bottleneck.RateLimit));
        Assert.Equal("network", BottleneckText.GetName(Bottleneck.Network));
        Assert.Null(BottleneckText.GetName(Bottleneck.None));
    }

    [Fact]
    public void ToResult_ComparisonOfMany_CountsEachKind()
    {
        Tally tally = new(new FakeTimeProvider()) { Compared = new ComparedJson(1, 2, 3, 4, 5, 6) };

        string text = Serialize(tally, "verify");

        Assert.Contains("\"compared\":{\"same\":1,\"different\":2,\"missing_here\":3,\"missing_there\":4,\"not_compared\":5,\"failed\":6}", text, StringComparison.Ordinal);
    }

    private static string Serialize(Tally tally, string operation)
    {
        using StringWriter text = new();
        tally.Operation = operation;
        CommandRunner.WriteJson(text, tally, ToolJsonContext.Default.Tally);
        return text.ToString().TrimEnd('\r', '\n');
    }
}
