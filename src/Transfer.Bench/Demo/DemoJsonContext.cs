using System.Text.Json.Serialization;

namespace Transfer.S3.Bench.Demo;

/// <summary>Serializes the messages between the processes of the demonstration, and its results, without reflection.</summary>
/// <remarks>The fast writers aren't generated, because they would only make the tool larger: few records are written.</remarks>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(ContenderTask))]
[JsonSerializable(typeof(ContenderResult))]
[JsonSerializable(typeof(DemoMeasurementJson))]
internal sealed partial class DemoJsonContext : JsonSerializerContext;
