using System.Globalization;
using System.Xml;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Cors;

/// <summary>The rules of a bucket for pages of other origins. The first rule that allows a request applies.</summary>
internal sealed record CorsConfiguration(IReadOnlyList<CorsRule> Rules)
{
    private const string Root = "CORSConfiguration";
    private const string RuleElement = "CORSRule";
    private const int MaximumRules = 100;
    private const int MaximumId = 255;
    private static readonly string[] Methods = ["GET", "PUT", "HEAD", "POST", "DELETE"];

    public bool IsSound() => Rules is { Count: > 0 } && Rules.All(static rule => rule is not null && rule.IsSound());

    public CorsRule? Find(string origin, string method, IReadOnlyList<string> headers) =>
        Rules.FirstOrDefault(rule => rule.Allows(origin, method) && headers.All(rule.AllowsHeader));

    public static CorsConfiguration Parse(ReadOnlyMemory<byte> body)
    {
        var rules = new List<RuleReader>();
        XmlRequest.Read(
            body,
            Root,
            RuleElement,
            () => rules.Add(new RuleReader()),
            (name, text) => (rules.Count > 0 ? rules[^1] : throw S3Errors.MalformedXml()).Set(name, text));
        return rules.Count is 0 or > MaximumRules ? throw S3Errors.MalformedXml() : new CorsConfiguration(rules.ConvertAll(static rule => rule.ToRule()));
    }

    public void WriteTo(XmlWriter writer)
    {
        foreach (CorsRule rule in Rules)
        {
            writer.WriteStartElement(RuleElement);
            writer.Element("ID", rule.Id);
            WriteAll(writer, "AllowedHeader", rule.AllowedHeaders);
            WriteAll(writer, "AllowedMethod", rule.AllowedMethods);
            WriteAll(writer, "AllowedOrigin", rule.AllowedOrigins);
            WriteAll(writer, "ExposeHeader", rule.ExposeHeaders);
            writer.Element("MaxAgeSeconds", rule.MaxAgeSeconds?.ToString(CultureInfo.InvariantCulture));
            writer.WriteEndElement();
        }
    }

    private static void WriteAll(XmlWriter writer, string name, IReadOnlyList<string> values)
    {
        foreach (string value in values)
        {
            writer.Element(name, value);
        }
    }

    private sealed class RuleReader
    {
        private readonly List<string> _origins = [];
        private readonly List<string> _methods = [];
        private readonly List<string> _headers = [];
        private readonly List<string> _exposed = [];
        private string? _id;
        private int? _maxAge;

        public void Set(string name, string text)
        {
            switch (name)
            {
                case "ID":
                    _id = text.Length <= MaximumId ? text : throw S3Errors.MalformedXml();
                    break;
                case "AllowedOrigin":
                    _origins.Add(WithOneWildcard(name, text));
                    break;
                case "AllowedMethod":
                    _methods.Add(Methods.Contains(text) ? text : throw S3Errors.InvalidRequest($"Found unsupported HTTP method in CORS config. Unsupported method is {text}"));
                    break;
                case "AllowedHeader":
                    _headers.Add(WithOneWildcard(name, text));
                    break;
                case "ExposeHeader":
                    _exposed.Add(!text.Contains('*', StringComparison.Ordinal)
                        ? text
                        : throw S3Errors.InvalidRequest($"ExposeHeader \"{text}\" contains wildcard. We currently do not support wildcard for ExposeHeader."));
                    break;
                case "MaxAgeSeconds":
                    _maxAge = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int seconds) ? seconds : throw S3Errors.MalformedXml();
                    break;
                default:
                    throw S3Errors.MalformedXml();
            }
        }

        public CorsRule ToRule() => _origins.Count == 0 || _methods.Count == 0
            ? throw S3Errors.MalformedXml()
            : new CorsRule { Id = _id, AllowedOrigins = _origins, AllowedMethods = _methods, AllowedHeaders = _headers, ExposeHeaders = _exposed, MaxAgeSeconds = _maxAge };

        private static string WithOneWildcard(string name, string text) => text.AsSpan().Count('*') <= 1
            ? text
            : throw S3Errors.InvalidRequest($"{name} \"{text}\" can not have more than one wildcard.");
    }
}
