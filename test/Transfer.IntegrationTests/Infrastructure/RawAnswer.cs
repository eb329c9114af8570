using System.Text;
using System.Xml.Linq;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>A response as it was received.</summary>
internal sealed record RawAnswer(int Status, IReadOnlyDictionary<string, string> Headers, byte[] Body)
{
    public string Text => Encoding.UTF8.GetString(Body);

    /// <summary>Gets the error code; null if the body contains none.</summary>
    public string? Code => Element("Code");

    public string? Header(string name) => Headers.GetValueOrDefault(name);

    /// <summary>Returns the text of the first element with a name; null if there is none.</summary>
    public string? Element(string name) =>
        Body.Length == 0 || Body[0] != (byte)'<' ? null : XDocument.Parse(Text).Descendants().FirstOrDefault(e => e.Name.LocalName == name)?.Value;
}
