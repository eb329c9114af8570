using System.Text.Json.Serialization;

namespace Transfer.Upload;

/// <summary>How a journal's lines are written.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower, UseStringEnumConverter = true, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(UploadHeader))]
[JsonSerializable(typeof(UploadStep))]
internal sealed partial class UploadJournalJson : JsonSerializerContext;
