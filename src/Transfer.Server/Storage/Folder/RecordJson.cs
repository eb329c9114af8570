using System.Text.Json.Serialization;

namespace Transfer.S3.Server.Storage.Folder;

/// <summary>The source-generated serialization of records.</summary>
/// <remarks>The fast writers aren't generated, because they would only make the tool larger: few records are written.</remarks>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    WriteIndented = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(BucketRecord))]
[JsonSerializable(typeof(ObjectRecord))]
[JsonSerializable(typeof(UploadRecord))]
[JsonSerializable(typeof(PartRecord))]
internal sealed partial class RecordJson : JsonSerializerContext;
