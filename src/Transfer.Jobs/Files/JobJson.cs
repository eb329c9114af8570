using System.Text.Json.Serialization;

namespace Transfer.S3.Jobs;

/// <summary>The JSON formats of the files of a job.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    UseStringEnumConverter = true,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(JobPlanDocument))]
[JsonSerializable(typeof(JobItem))]
[JsonSerializable(typeof(JobLine))]
[JsonSerializable(typeof(JobUpload))]
[JsonSerializable(typeof(ReviewedPiece))]
[JsonSerializable(typeof(PreparedObject))]
[JsonSerializable(typeof(JobSummary))]
internal sealed partial class JobJson : JsonSerializerContext;
