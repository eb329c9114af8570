using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

public sealed class PriceFileTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    [Fact]
    public void Read_AllFields()
    {
        StorePrices prices = Read("""
            {
              "currency": "EUR", "writes_per_1000": 1, "lists_per_1000": 2, "reads_per_1000": 0.0003, "deletes_per_1000": 4,
              "sent_per_gb": 5, "received_per_gb": 6, "copied_per_gb": 7, // a comment
            }
            """);

        Assert.Equal(
            new StorePrices { Currency = "EUR", WritesPer1000 = 1, ListsPer1000 = 2, ReadsPer1000 = 0.0003m, DeletesPer1000 = 4, SentPerGB = 5, ReceivedPerGB = 6, CopiedPerGB = 7 }, prices);
        Assert.Equal(new StorePrices(), Read("{}"));
    }

    [Theory]
    [InlineData("{ \"write_per_1000\": 1 }", "'write_per_1000' is not a field; the fields are currency, writes_per_1000, ")]
    [InlineData("{ \"writes_per_1000\": -1 }", "'writes_per_1000' must be a number that is not negative")]
    [InlineData("{ \"writes_per_1000\": \"1\" }", "'writes_per_1000' must be a number that is not negative")]
    [InlineData("{ \"sent_per_gb\": 1, \"sent_per_gb\": 2 }", "'sent_per_gb' is there twice")]
    [InlineData("{ \"currency\": 1 }", "'currency' must be a text")]
    [InlineData("[]", "it must be a JSON object")]
    [InlineData("{", "line 1 is not valid JSON")]
    public void Read_Wrong_NamesTheField(string text, string message)
        => Assert.Contains(message, Assert.Throws<UsageException>(() => Read(text)).Message, StringComparison.Ordinal);

    [Fact]
    public void Read_ExampleOfTheGuide()
    {
        string page = File.ReadAllText(Path.Combine(MarkdownPages.Root, "docs", "costs.md"));
        string example = page.Split("```json")[1].Split("```")[0];

        Assert.Equal(0.005m, Read(example).WritesPer1000);
        Assert.Equal(0.09m, Read(example).ReceivedPerGB);
    }

    public void Dispose() => _folder.Dispose();

    private StorePrices Read(string text)
    {
        string path = _folder.File("prices.json");
        File.WriteAllText(path, text);
        return PriceFile.Read(new GivenValue("--prices", path));
    }
}
