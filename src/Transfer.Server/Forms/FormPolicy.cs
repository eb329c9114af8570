using System.Globalization;
using System.Text.Json;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Forms;

/// <summary>What the author of a form allows: a signed JSON document with conditions for all fields, and for the size of the file.</summary>
internal sealed class FormPolicy
{
    private static readonly string[] DateFormats = ["yyyy-MM-dd'T'HH:mm:ss'Z'", "yyyy-MM-dd'T'HH:mm:ss.fff'Z'"];

    /// <summary>The fields that no condition has to name.</summary>
    private static readonly string[] FreeFields = ["policy", "signature", "x-amz-signature", "awsaccesskeyid", "bucket"];

    private readonly List<Condition> _conditions = [];

    private FormPolicy(DateTimeOffset expiration) => Expiration = expiration;

    public DateTimeOffset Expiration { get; }

    public long MinimumBytes { get; private set; }

    public long MaximumBytes { get; private set; } = long.MaxValue;

    /// <exception cref="S3Exception">Thrown when the text isn't a policy.</exception>
    public static FormPolicy Parse(string base64)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(Convert.FromBase64String(base64));
            JsonElement root = document.RootElement;
            if (root.ValueKind != JsonValueKind.Object || root.EnumerateObject().Any(static property => property.Name is not ("expiration" or "conditions")))
            {
                throw Invalid("Unexpected: only expiration and conditions are allowed.");
            }

            if (!root.TryGetProperty("expiration", out JsonElement expiration)
                || !DateTimeOffset.TryParseExact(expiration.GetString(), DateFormats, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time))
            {
                throw Invalid("Policy missing expiration, or it isn't of the form yyyy-MM-dd'T'HH:mm:ss'Z'.");
            }

            if (!root.TryGetProperty("conditions", out JsonElement conditions))
            {
                throw Invalid("Policy missing conditions.");
            }

            var policy = new FormPolicy(time);
            foreach (JsonElement condition in conditions.EnumerateArray())
            {
                policy.Add(condition);
            }

            return policy;
        }
        catch (Exception exception) when (exception is FormatException or JsonException or InvalidOperationException or KeyNotFoundException)
        {
            throw Invalid("Invalid JSON.");
        }
    }

    /// <exception cref="S3Exception">Thrown when the policy doesn't allow the form.</exception>
    public void Check(FormFields form, string bucket, DateTimeOffset now)
    {
        if (now >= Expiration)
        {
            throw Denied("Policy expired.");
        }

        foreach (Condition condition in _conditions)
        {
            string? value = condition.Field == "bucket" ? bucket : form[condition.Field];
            if (value is null || !(condition.IsPrefix ? value.StartsWith(condition.Value, StringComparison.Ordinal) : value == condition.Value))
            {
                throw Denied($"Policy Condition failed: [\"{(condition.IsPrefix ? "starts-with" : "eq")}\", \"${condition.Field}\", \"{condition.Value}\"]");
            }
        }

        string? extra = form.All.Keys.Select(static name => name.ToLowerInvariant()).FirstOrDefault(name =>
            !FreeFields.Contains(name) && !name.StartsWith("x-ignore-", StringComparison.Ordinal) && !_conditions.Exists(condition => condition.Field == name));
        if (extra is not null)
        {
            throw Denied($"Extra input fields: {extra}");
        }

        if (form["bucket"] is { } named && named != bucket)
        {
            throw Denied($"Policy Condition failed: [\"eq\", \"$bucket\", \"{named}\"]");
        }
    }

    private void Add(JsonElement condition)
    {
        if (condition.ValueKind == JsonValueKind.Object)
        {
            JsonProperty[] properties = [.. condition.EnumerateObject()];
            _conditions.Add(properties.Length == 1
                ? new Condition(properties[0].Name.ToLowerInvariant(), Text(properties[0].Value), IsPrefix: false)
                : throw Invalid("Invalid Simple-Condition: Simple-Conditions must have exactly one property specified."));
            return;
        }

        JsonElement[] items = [.. condition.EnumerateArray()];
        if (items.Length != 3)
        {
            throw Invalid("Invalid Condition: a condition must have an operation and two arguments.");
        }

        switch (Text(items[0]).ToLowerInvariant())
        {
            case "eq":
                _conditions.Add(new Condition(Field(items[1]), Text(items[2]), IsPrefix: false));
                break;
            case "starts-with":
                _conditions.Add(new Condition(Field(items[1]), Text(items[2]), IsPrefix: true));
                break;
            case "content-length-range":
                (MinimumBytes, MaximumBytes) = (Size(items[1]), Size(items[2]));
                break;
            default:
                throw Invalid("Invalid Condition: unknown operation.");
        }
    }

    private static string Text(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.String => element.GetString()!,
        JsonValueKind.Number => element.GetRawText(),
        _ => throw Invalid("Invalid Condition: a value must be a string."),
    };

    private static string Field(JsonElement element)
    {
        string name = Text(element);
        return name.StartsWith('$') ? name[1..].ToLowerInvariant() : throw Invalid("Invalid Condition: the name of a field begins with $.");
    }

    private static long Size(JsonElement element) =>
        long.TryParse(Text(element), NumberStyles.None, CultureInfo.InvariantCulture, out long size) ? size : throw Invalid("Invalid content-length-range: a size must be a number.");

    private static S3Exception Invalid(string message) => S3Errors.InvalidPolicyDocument(message);

    private static S3Exception Denied(string message) => S3Errors.AccessDenied($"Invalid according to Policy: {message}");

    private sealed record Condition(string Field, string Value, bool IsPrefix);
}
