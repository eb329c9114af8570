using System.Text.Json;
using System.Text.Json.Serialization;

namespace ParseStream;

/// <summary>The serializer's code for readings, generated at compile time.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(Reading))]
internal sealed partial class ReadingContext : JsonSerializerContext;
