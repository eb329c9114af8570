using System.Text.Json.Serialization;

namespace Transfer.Download;

/// <summary>How a journal's lines are written.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(DownloadHeader))]
[JsonSerializable(typeof(FinishedPart))]
internal sealed partial class DownloadJournalJson : JsonSerializerContext;
