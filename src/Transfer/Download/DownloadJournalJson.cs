using System.Text.Json.Serialization;
using Transfer.S3.Verification;

namespace Transfer.S3.Download;

/// <summary>Defines how the lines of a journal are serialized.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(DownloadHeader))]
[JsonSerializable(typeof(CompletedPart))]
internal sealed partial class DownloadJournalJson : JsonSerializerContext;
