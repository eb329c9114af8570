using System.Text.Json.Serialization;

namespace Transfer.Cli.Demo;

/// <summary>Serializes the messages between the processes of the demonstration, and its results, without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower)]
[JsonSerializable(typeof(ContenderTask))]
[JsonSerializable(typeof(ContenderResult))]
[JsonSerializable(typeof(DemoMeasurementJson))]
internal sealed partial class DemoJsonContext : JsonSerializerContext;
