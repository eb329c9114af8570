using System.Xml.Linq;

namespace Transfer.S3.Tests.Documentation;

/// <summary>An example in the XML documentation of a public package.</summary>
/// <param name="Member">The ID of the member that it belongs to.</param>
/// <param name="Code">The code.</param>
internal sealed record MemberExample(string Member, string Code)
{
    /// <summary>Gets the examples of assemblies that have their XML documentation beside them.</summary>
    public static IReadOnlyList<MemberExample> Of(IEnumerable<string> assemblies) => [.. assemblies.SelectMany(Read)];

    private static IEnumerable<MemberExample> Read(string assembly)
        => from member in XDocument.Load(Path.Combine(AppContext.BaseDirectory, $"{assembly}.xml")).Descendants("member")
           from code in member.Elements("example").Elements("code")
           select new MemberExample((string)member.Attribute("name")!, code.Value.TrimStart('\r', '\n'));
}
