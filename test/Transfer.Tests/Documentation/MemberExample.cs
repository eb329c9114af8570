using System.Xml.Linq;
using Transfer.S3.Server;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.Tests.Documentation;

/// <summary>An example in the XML documentation of a public package.</summary>
/// <param name="Member">The ID of the member that it belongs to.</param>
/// <param name="Code">The code.</param>
internal sealed record MemberExample(string Member, string Code)
{
    /// <summary>Gets the assemblies of the packages. They have the XML documentation beside them.</summary>
    public static IReadOnlyList<string> Assemblies { get; } =
        [.. new[] { typeof(TransferClient), typeof(TransferJob), typeof(TransferUtilityAdapter), typeof(EmbeddedS3Server) }.Select(type => type.Assembly.GetName().Name!)];

    public static IReadOnlyList<MemberExample> All { get; } = [.. Assemblies.SelectMany(Read)];

    private static IEnumerable<MemberExample> Read(string assembly)
        => from member in XDocument.Load(Path.Combine(AppContext.BaseDirectory, $"{assembly}.xml")).Descendants("member")
           from code in member.Elements("example").Elements("code")
           select new MemberExample((string)member.Attribute("name")!, code.Value.TrimStart('\r', '\n'));
}
