using System.Text.Json.Serialization;

namespace Transfer.S3.Cli.Tracing;

/// <summary>Serializes the entries of a trace without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull, GenerationMode = JsonSourceGenerationMode.Serialization)]
[JsonSerializable(typeof(HarEntry))]
internal sealed partial class HarJsonContext : JsonSerializerContext;
