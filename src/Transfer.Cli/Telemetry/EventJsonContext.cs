using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Transfer.S3.Cli.Telemetry;

/// <summary>Serializes events and lines of reports as JSON in snake case, on one line, without reflection and without the fields that don't apply.</summary>
/// <remarks>The fast writers aren't generated: they are only used with the options of the attribute, which have no encoder.</remarks>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(EventJson))]
[JsonSerializable(typeof(ReportJson))]
internal sealed partial class EventJsonContext : JsonSerializerContext
{
    /// <summary>Gets the context. Its escaping is that of the results.</summary>
    public static EventJsonContext Instance { get; } = new(new JsonSerializerOptions
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });
}
