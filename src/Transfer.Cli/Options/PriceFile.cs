using System.Text.Json;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Options;

/// <summary>Reads the file of --prices. A field that is unknown or mistyped is an error, because its price would be missing.</summary>
internal static class PriceFile
{
    private const string CurrencyField = "currency";

    private static readonly Dictionary<string, Func<StorePrices, decimal, StorePrices>> Fields = new(StringComparer.Ordinal)
    {
        ["writes_per_1000"] = static (prices, price) => prices with { WritesPer1000 = price },
        ["lists_per_1000"] = static (prices, price) => prices with { ListsPer1000 = price },
        ["reads_per_1000"] = static (prices, price) => prices with { ReadsPer1000 = price },
        ["deletes_per_1000"] = static (prices, price) => prices with { DeletesPer1000 = price },
        ["sent_per_gb"] = static (prices, price) => prices with { SentPerGB = price },
        ["received_per_gb"] = static (prices, price) => prices with { ReceivedPerGB = price },
        ["copied_per_gb"] = static (prices, price) => prices with { CopiedPerGB = price },
    };

    /// <exception cref="UsageException">Thrown when the file can't be read, or isn't a list of prices.</exception>
    public static StorePrices Read(GivenValue file)
    {
        string text = OptionValues.ReadFile(file);
        try
        {
            using JsonDocument document = JsonDocument.Parse(text, new JsonDocumentOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
            return document.RootElement.ValueKind == JsonValueKind.Object ? Read(document.RootElement, file) : throw Wrong(file, "it must be a JSON object");
        }
        catch (JsonException e)
        {
            throw Wrong(file, $"line {e.LineNumber + 1} is not valid JSON");
        }
    }

    private static StorePrices Read(JsonElement root, GivenValue file)
    {
        StorePrices prices = new();
        HashSet<string> seen = new(StringComparer.Ordinal);
        foreach (JsonProperty field in root.EnumerateObject())
        {
            if (!seen.Add(field.Name))
            {
                throw Wrong(file, $"'{field.Name}' is there twice");
            }

            if (field.Name == CurrencyField)
            {
                prices = prices with
                {
                    Currency = field.Value.ValueKind == JsonValueKind.String && field.Value.GetString() is { Length: > 0 } name ? name : throw Wrong(file, $"'{CurrencyField}' must be a text, such as \"USD\""),
                };
                continue;
            }

            if (!Fields.TryGetValue(field.Name, out Func<StorePrices, decimal, StorePrices>? set))
            {
                throw Wrong(file, $"'{field.Name}' is not a field; the fields are {CurrencyField}, {string.Join(", ", Fields.Keys)}");
            }

            prices = field.Value.ValueKind == JsonValueKind.Number && field.Value.TryGetDecimal(out decimal price) && price >= 0
                ? set(prices, price)
                : throw Wrong(file, $"'{field.Name}' must be a number that is not negative");
        }

        return prices;
    }

    private static UsageException Wrong(GivenValue file, string what) => new($"{file.Source} got '{Printable.Text(file.Text)}', which has no prices that can be used: {what}");
}
