namespace Transfer.Server.Checksums;

/// <summary>The properties of a checksum algorithm in the S3 protocol.</summary>
internal sealed class ChecksumInfo
{
    private static readonly ChecksumInfo[] All =
    [
        new(ChecksumKind.Crc64Nvme, "CRC64NVME", 8, fullObject: true, composite: false),
        new(ChecksumKind.Crc32, "CRC32", 4, fullObject: true, composite: true),
        new(ChecksumKind.Crc32C, "CRC32C", 4, fullObject: true, composite: true),
        new(ChecksumKind.Sha1, "SHA1", 20, fullObject: false, composite: true),
        new(ChecksumKind.Sha256, "SHA256", 32, fullObject: false, composite: true),
    ];

    private ChecksumInfo(ChecksumKind algorithm, string apiName, int bytes, bool fullObject, bool composite)
    {
        Algorithm = algorithm;
        ApiName = apiName;
        HeaderName = "x-amz-checksum-" + apiName.ToLowerInvariant();
        ElementName = "Checksum" + apiName;
        Bytes = bytes;
        AllowsFullObject = fullObject;
        AllowsComposite = composite;
    }

    public static IReadOnlyList<ChecksumInfo> Known => All;

    public ChecksumKind Algorithm { get; }

    /// <summary>Gets the name in <c>x-amz-checksum-algorithm</c>, for example <c>CRC32C</c>.</summary>
    public string ApiName { get; }

    public string HeaderName { get; }

    public string ElementName { get; }

    /// <summary>Gets the length of the value in bytes, before base64 encoding.</summary>
    public int Bytes { get; }

    public bool AllowsFullObject { get; }

    public bool AllowsComposite { get; }

    /// <summary>Gets the type for a multipart upload that specifies an algorithm but no type.</summary>
    public ChecksumType DefaultType => AllowsComposite ? ChecksumType.Composite : ChecksumType.FullObject;

    public static bool IsKnown(ChecksumKind algorithm) => (int)algorithm >= 0 && (int)algorithm < All.Length;

    public static ChecksumInfo Of(ChecksumKind algorithm) => All[(int)algorithm];

    public static ChecksumInfo? FromApiName(string name) =>
        Array.Find(All, info => string.Equals(info.ApiName, name, StringComparison.OrdinalIgnoreCase));

    public static ChecksumInfo? FromHeaderName(string name) =>
        Array.Find(All, info => string.Equals(info.HeaderName, name, StringComparison.OrdinalIgnoreCase));

    public static ChecksumInfo? FromElementName(string name) => Array.Find(All, info => info.ElementName == name);

    public bool IsWellFormed(string? value)
    {
        Span<byte> decoded = stackalloc byte[48];
        return value is { Length: <= 48 } && Convert.TryFromBase64String(value, decoded, out int written) && written == Bytes;
    }
}
