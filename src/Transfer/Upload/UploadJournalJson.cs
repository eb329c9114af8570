using System.Text.Json.Serialization;

namespace Transfer.S3.Upload;

/// <summary>The JSON format of the lines of a journal.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower, UseStringEnumConverter = true, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(UploadHeader))]
[JsonSerializable(typeof(UploadStep))]
internal sealed partial class UploadJournalJson : JsonSerializerContext;
