using System.Text.Json.Serialization;

namespace Transfer.S3.Trees;

/// <summary>The JSON format of the lines of a publication.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    RespectNullableAnnotations = true)]
[JsonSerializable(typeof(PublicationLine))]
internal sealed partial class PublicationJson : JsonSerializerContext;
