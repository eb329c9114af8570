using System.Text.Json;
using System.Text.Json.Serialization;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>The options of the uploads of a job.</summary>
internal sealed record PlannedUpload
{
    public long? PartSizeBytes { get; init; }

    public long? MultipartThresholdBytes { get; init; }

    public ChecksumAlgorithm Checksum { get; init; }

    public Dictionary<string, string>? Metadata { get; init; }

    public bool DoesNotResume { get; init; }

    public bool KeepLastModified { get; init; }

    public bool KeepPermissions { get; init; }

    public bool KeepOwner { get; init; }

    public Dictionary<string, string>? Tags { get; init; }

    public PlannedEncryption? Encryption { get; init; }

    public ObjectLock? Lock { get; init; }

    public DateTimeOffset? Expires { get; init; }

    public bool RequesterPays { get; init; }

    /// <summary>Gets or sets the headers whose values are texts, by the names of their options.</summary>
    [JsonExtensionData]
    public Dictionary<string, JsonElement>? Headers { get; set; }

    public static PlannedUpload From(UploadOptions options) => new()
    {
        PartSizeBytes = options.PartSizeBytes,
        MultipartThresholdBytes = options.MultipartThresholdBytes,
        Checksum = options.Checksum,
        Metadata = options.Metadata is { } metadata ? new Dictionary<string, string>(metadata) : null,
        DoesNotResume = !options.Resume,
        KeepLastModified = options.KeepLastModified,
        KeepPermissions = options.KeepPermissions,
        KeepOwner = options.KeepOwner,
        Tags = options.Tags is { } tags ? new Dictionary<string, string>(tags) : null,
        Encryption = options.Encryption is { } encryption ? PlannedEncryption.From(encryption) : null,
        Lock = options.Lock,
        Expires = options.Expires,
        RequesterPays = options.RequesterPays,
        Headers = Write(options.Headers),
    };

    public UploadOptions ToOptions() => new()
    {
        Headers = ReadHeaders(),
        PartSizeBytes = PartSizeBytes,
        MultipartThresholdBytes = MultipartThresholdBytes,
        Checksum = Checksum,
        Metadata = Metadata,
        Resume = !DoesNotResume,
        KeepLastModified = KeepLastModified,
        KeepPermissions = KeepPermissions,
        KeepOwner = KeepOwner,
        Tags = Tags,
        Encryption = Encryption?.ToEncryption(),
        Lock = Lock,
        Expires = Expires,
        RequesterPays = RequesterPays,
    };

    private static Dictionary<string, JsonElement> Write(in HeaderValues values)
    {
        Dictionary<string, JsonElement> headers = [];
        foreach (ObjectHeader header in ObjectHeader.All)
        {
            if (header != ObjectHeader.Expires && values[header] is { } value)
            {
                headers.Add(GetName(header), JsonSerializer.SerializeToElement(value, JobJson.Default.String));
            }
        }

        return headers;
    }

    private HeaderValues ReadHeaders()
    {
        HeaderValues values = default;
        foreach (ObjectHeader header in ObjectHeader.All)
        {
            if (Headers?.TryGetValue(GetName(header), out JsonElement value) == true)
            {
                values = values.With(header, value.ValueKind == JsonValueKind.String ? value.GetString() : throw new TransferException($"The plan has a {GetName(header)} that isn't a text."));
            }
        }

        return values;
    }

    private static string GetName(ObjectHeader header) => JsonNamingPolicy.SnakeCaseLower.ConvertName(header.Option);
}
