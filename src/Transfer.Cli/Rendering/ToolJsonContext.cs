using System.Text.Json.Serialization;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Rendering;

/// <summary>Serializes results as JSON in snake case, on one line, without reflection. Nothing reads them here, and without the code for that, the native file is smaller.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower, GenerationMode = JsonSourceGenerationMode.Serialization)]
[JsonSerializable(typeof(Tally))]
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
internal sealed partial class ToolJsonContext : JsonSerializerContext;
