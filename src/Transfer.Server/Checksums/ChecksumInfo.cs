using System.IO.Hashing;
using System.Security.Cryptography;

namespace Transfer.S3.Server.Checksums;

/// <summary>The properties of a checksum algorithm in the S3 protocol, and how this server computes it.</summary>
/// <remarks>The server has its own table, so that a mistake in the library's one doesn't go unnoticed in tests against this server.</remarks>
internal sealed class ChecksumInfo
{
    /// <summary>The length of the longest value, in bytes.</summary>
    private const int MaxBytes = 64;

    private static readonly ChecksumInfo[] All =
    [
        OfCrc(ChecksumAlgorithm.Crc64Nvme, "CRC64NVME", 8, Crc.Crc64Nvme.Append, Crc.Crc64Nvme.Combine, composite: false),
        OfCrc(ChecksumAlgorithm.Crc32, "CRC32", 4, Crc.Crc32.Append, Crc.Crc32.Combine, composite: true),
        OfCrc(ChecksumAlgorithm.Crc32C, "CRC32C", 4, Crc.Crc32C.Append, Crc.Crc32C.Combine, composite: true),
        OfHash(ChecksumAlgorithm.Sha1, "SHA1", 20, static () => RunningChecksum.OfHash(HashAlgorithmName.SHA1)),
        OfHash(ChecksumAlgorithm.Sha256, "SHA256", 32, static () => RunningChecksum.OfHash(HashAlgorithmName.SHA256)),
        OfHash(ChecksumAlgorithm.Sha512, "SHA512", 64, static () => RunningChecksum.OfHash(HashAlgorithmName.SHA512)),
        OfHash(ChecksumAlgorithm.Md5, "MD5", 16, static () => RunningChecksum.OfHash(HashAlgorithmName.MD5)),
        OfHash(ChecksumAlgorithm.XxHash64, "XXHASH64", 8, static () => RunningChecksum.OfHash(new XxHash64())),
        OfHash(ChecksumAlgorithm.XxHash3, "XXHASH3", 8, static () => RunningChecksum.OfHash(new XxHash3())),
        OfHash(ChecksumAlgorithm.XxHash128, "XXHASH128", 16, static () => RunningChecksum.OfHash(new XxHash128())),
    ];

    private ChecksumInfo(ChecksumAlgorithm algorithm, string apiName, int bytes, Func<RunningChecksum> begin)
    {
        Algorithm = algorithm;
        ApiName = apiName;
        HeaderName = "x-amz-checksum-" + apiName.ToLowerInvariant();
        ElementName = "Checksum" + apiName;
        Bytes = bytes;
        Begin = begin;
    }

    public static IReadOnlyList<ChecksumInfo> Known => All;

    public ChecksumAlgorithm Algorithm { get; }

    /// <summary>Gets the name in <c>x-amz-checksum-algorithm</c>, for example <c>CRC32C</c>.</summary>
    public string ApiName { get; }

    public string HeaderName { get; }

    public string ElementName { get; }

    /// <summary>Gets the length of the value in bytes, before base64 encoding.</summary>
    public int Bytes { get; }

    /// <summary>Gets what begins a computation.</summary>
    public Func<RunningChecksum> Begin { get; }

    /// <summary>Gets what combines the values of two adjacent blocks, given the length of the second; null if the algorithm can't.</summary>
    public Func<ulong, ulong, long, ulong>? Combine { get; private init; }

    public bool AllowsFullObject => Combine is not null;

    public bool AllowsComposite { get; private init; }

    /// <summary>Gets the type for a multipart upload that specifies an algorithm but no type.</summary>
    public ChecksumType DefaultType => AllowsComposite ? ChecksumType.Composite : ChecksumType.FullObject;

    public static bool IsKnown(ChecksumAlgorithm algorithm) => Array.Exists(All, info => info.Algorithm == algorithm);

    public static ChecksumInfo Get(ChecksumAlgorithm algorithm) => Array.Find(All, info => info.Algorithm == algorithm)!;

    public static ChecksumInfo? FromApiName(string name) =>
        Array.Find(All, info => string.Equals(info.ApiName, name, StringComparison.OrdinalIgnoreCase));

    public static ChecksumInfo? FromHeaderName(string name) =>
        Array.Find(All, info => string.Equals(info.HeaderName, name, StringComparison.OrdinalIgnoreCase));

    public static ChecksumInfo? FromElementName(string name) => Array.Find(All, info => info.ElementName == name);

    public bool IsWellFormed(string? value)
    {
        Span<byte> decoded = stackalloc byte[MaxBytes];
        return value is { Length: <= 2 * MaxBytes } && Convert.TryFromBase64String(value, decoded, out int written) && written == Bytes;
    }

    private static ChecksumInfo OfCrc(ChecksumAlgorithm algorithm, string apiName, int bytes, CrcStep append, Func<ulong, ulong, long, ulong> combine, bool composite) =>
        new(algorithm, apiName, bytes, () => RunningChecksum.OfCrc(append, bytes)) { Combine = combine, AllowsComposite = composite };

    // S3 can't combine hashes, so the value of a multipart object is always made of those of its parts (Amazon S3 User Guide, "Checking object integrity for data uploads").
    private static ChecksumInfo OfHash(ChecksumAlgorithm algorithm, string apiName, int bytes, Func<RunningChecksum> begin) =>
        new(algorithm, apiName, bytes, begin) { AllowsComposite = true };
}
