using System.Text;
using System.Xml.Linq;

namespace Transfer.IntegrationTests.Infrastructure;

/// <summary>An answer as it arrived.</summary>
internal sealed record RawAnswer(int Status, IReadOnlyDictionary<string, string> Headers, byte[] Body)
{
    public string Text => Encoding.UTF8.GetString(Body);

    /// <summary>The error code; null when the body holds none.</summary>
    public string? Code => Element("Code");

    public string? Header(string name) => Headers.GetValueOrDefault(name);

    /// <summary>The text of the first element of a name; null when there is none.</summary>
    public string? Element(string name) =>
        Body.Length == 0 || Body[0] != (byte)'<' ? null : XDocument.Parse(Text).Descendants().FirstOrDefault(e => e.Name.LocalName == name)?.Value;
}
