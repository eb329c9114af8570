using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using Transfer.S3.Bench.Workloads;

namespace Transfer.S3.Bench.Results;

/// <summary>Serializes reports as JSON in snake case, without reflection.</summary>
/// <remarks>The fast writers aren't generated, because they would only make the tool larger: few reports are written.</remarks>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.SnakeCaseLower, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(BenchReport))]
[JsonSerializable(typeof(WorkloadReport))]
internal sealed partial class BenchJsonContext : JsonSerializerContext
{
    public static BenchJsonContext Instance { get; } = new(new JsonSerializerOptions
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    });
}
