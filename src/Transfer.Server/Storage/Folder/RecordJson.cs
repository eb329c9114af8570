using System.Text.Json.Serialization;

namespace Transfer.Server.Storage.Folder;

/// <summary>The source-generated serialization of records.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    WriteIndented = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(BucketRecord))]
[JsonSerializable(typeof(ObjectRecord))]
[JsonSerializable(typeof(UploadRecord))]
[JsonSerializable(typeof(PartRecord))]
internal sealed partial class RecordJson : JsonSerializerContext;
