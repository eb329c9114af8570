using System.Reflection;
using System.Text.Json;
using Transfer.S3.Cli.Telemetry;

namespace Transfer.S3.Tests.Documentation;

public sealed class EventDocumentationTests
{
    private static readonly string Page = File.ReadAllText(Path.Combine(MarkdownPages.Root, "docs", "events-json.md"));

    public static TheoryData<string> Fields => [.. typeof(EventJson).GetProperties().Select(property => JsonNamingPolicy.SnakeCaseLower.ConvertName(property.Name))];

    public static TheoryData<string> Names => [.. typeof(EventNames).GetFields(BindingFlags.Static | BindingFlags.Public).Select(constant => (string)constant.GetRawConstantValue()!)];

    [Theory]
    [MemberData(nameof(Fields))]
    public void Field_IsInTheDocumentation(string field) => Assert.Contains($"`{field}`", Page, StringComparison.Ordinal);

    [Theory]
    [MemberData(nameof(Names))]
    public void Event_IsInTheDocumentation(string name) => Assert.Contains($"| `{name}` |", Page, StringComparison.Ordinal);
}
