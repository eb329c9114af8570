using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Transfer.Cli.Rendering;

/// <summary>How results become JSON: snake case, on one line, without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower)]
[JsonSerializable(typeof(ResultJson))]
[JsonSerializable(typeof(ListedObjectJson))]
[JsonSerializable(typeof(ListedPrefixJson))]
[JsonSerializable(typeof(ListedBucketJson))]
[JsonSerializable(typeof(ListedUploadJson))]
[JsonSerializable(typeof(DifferenceJson))]
[JsonSerializable(typeof(DemoStepJson))]
internal sealed partial class ToolJsonContext : JsonSerializerContext
{
    /// <summary>Relaxed: a "+" in base64 stays one. Control characters are escaped all the same.</summary>
    public static ToolJsonContext Instance { get; } = new(new JsonSerializerOptions
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });
}
