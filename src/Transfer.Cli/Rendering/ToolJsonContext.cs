using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Transfer.Cli.Rendering;

/// <summary>Serializes results as JSON in snake case, on one line, without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower)]
[JsonSerializable(typeof(ResultJson))]
[JsonSerializable(typeof(ListedObjectJson))]
[JsonSerializable(typeof(ListedPrefixJson))]
[JsonSerializable(typeof(ListedBucketJson))]
[JsonSerializable(typeof(ListedUploadJson))]
[JsonSerializable(typeof(DifferenceJson))]
[JsonSerializable(typeof(SyncActionJson))]
[JsonSerializable(typeof(PlannedJson))]
[JsonSerializable(typeof(PresignedUrlJson))]
[JsonSerializable(typeof(ObjectPropertiesJson))]
[JsonSerializable(typeof(ObjectPartJson))]
[JsonSerializable(typeof(UsageJson))]
[JsonSerializable(typeof(ObjectTagJson))]
[JsonSerializable(typeof(WhoAmIJson))]
[JsonSerializable(typeof(DoctorJson))]
[JsonSerializable(typeof(JobPlanJson))]
[JsonSerializable(typeof(JobSummaryJson))]
[JsonSerializable(typeof(JobStatusJson))]
internal sealed partial class ToolJsonContext : JsonSerializerContext
{
    /// <summary>Gets the context. With relaxed escaping, a "+" in base64 stays readable; control characters are still escaped.</summary>
    public static ToolJsonContext Instance { get; } = new(new JsonSerializerOptions
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });
}
