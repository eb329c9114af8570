using System.IO.Hashing;
using System.Security.Cryptography;

namespace Transfer.S3.Integrity;

/// <summary>The algorithms, and what S3 calls them.</summary>
internal static class ChecksumTable
{
    private static readonly ChecksumEntry[] Entries =
    [
        ChecksumEntry.Stored(ChecksumAlgorithm.Crc64Nvme, "CRC64NVME", 8) with { Crc = CrcSet.Kinds.Crc64Nvme },
        ChecksumEntry.Stored(ChecksumAlgorithm.Crc32C, "CRC32C", 4) with { Crc = CrcSet.Kinds.Crc32C },
        ChecksumEntry.Stored(ChecksumAlgorithm.Crc32, "CRC32", 4) with { Crc = CrcSet.Kinds.Crc32 },
        ChecksumEntry.Stored(ChecksumAlgorithm.XxHash128, "XXHASH128", 16) with { BeginHash = static () => ContentHash.Create(new XxHash128()) },
        ChecksumEntry.Stored(ChecksumAlgorithm.XxHash3, "XXHASH3", 8) with { BeginHash = static () => ContentHash.Create(new XxHash3()) },
        ChecksumEntry.Stored(ChecksumAlgorithm.XxHash64, "XXHASH64", 8) with { BeginHash = static () => ContentHash.Create(new XxHash64()) },
        ChecksumEntry.Stored(ChecksumAlgorithm.Sha256, "SHA256", SHA256.HashSizeInBytes) with { BeginHash = static () => ContentHash.Create(HashAlgorithmName.SHA256) },
        ChecksumEntry.Stored(ChecksumAlgorithm.Sha512, "SHA512", SHA512.HashSizeInBytes) with { BeginHash = static () => ContentHash.Create(HashAlgorithmName.SHA512) },
        ChecksumEntry.Stored(ChecksumAlgorithm.Sha1, "SHA1", SHA1.HashSizeInBytes) with { BeginHash = static () => ContentHash.Create(HashAlgorithmName.SHA1) },
        ChecksumEntry.Stored(ChecksumAlgorithm.Md5, "MD5", MD5.HashSizeInBytes) with { BeginHash = static () => ContentHash.Create(HashAlgorithmName.MD5) },
        new ChecksumEntry(ChecksumAlgorithm.ContentMd5, "content-md5", "content-md5", MD5.HashSizeInBytes) { BeginHash = static () => ContentHash.Create(HashAlgorithmName.MD5) },
    ];

    private static readonly ChecksumEntry[] StoredEntries = [.. Entries.Where(static entry => entry.S3Name is not null)]; // an array, whose enumeration needs no object

    private static readonly ChecksumEntry?[] ByAlgorithm = Index();

    /// <summary>Gets the algorithms of which a store can hold a checksum, in the order of preference.</summary>
    public static IReadOnlyList<ChecksumEntry> Stored => StoredEntries;

    /// <summary>Gets the algorithms whose value can be combined from those of blocks, in the order of preference.</summary>
    public static IReadOnlyList<ChecksumEntry> Combinable { get; } = [.. Entries.Where(static entry => entry.Crc != CrcSet.Kinds.None)];

    /// <summary>Gets the row of an algorithm; null if the value names none.</summary>
    public static ChecksumEntry? Find(ChecksumAlgorithm algorithm) => algorithm >= 0 && (int)algorithm < ByAlgorithm.Length ? ByAlgorithm[(int)algorithm] : null;

    /// <summary>Gets the row of the algorithm that S3 calls so; null if there is none.</summary>
    public static ChecksumEntry? FindS3Name(string? name) => Stored.FirstOrDefault(entry => entry.S3Name == name);

    /// <summary>Gets the first checksum of a response.</summary>
    /// <param name="response">The response.</param>
    /// <param name="valueOf">Gets the value of an algorithm, if the response has one.</param>
    /// <param name="typeOf">Gets the type, if the response has one.</param>
    public static StoredChecksum? FindValue<T>(T response, Func<T, ChecksumEntry, string?> valueOf, Func<T, string?> typeOf)
    {
        foreach (ChecksumEntry entry in StoredEntries)
        {
            if (valueOf(response, entry) is { Length: > 0 } value)
            {
                return ToStored(entry.Algorithm, value, typeOf(response));
            }
        }

        return null;
    }

    /// <summary>Creates a checksum from a response.</summary>
    /// <param name="algorithm">The algorithm.</param>
    /// <param name="value">The value.</param>
    /// <param name="type">The type. If the response has none, a composite value ends in a dash and the number of parts. A dash isn't a base64 character.</param>
    public static StoredChecksum ToStored(ChecksumAlgorithm algorithm, string value, string? type)
        => new()
        {
            Algorithm = algorithm,
            Value = value,
            IsComposite = value.Contains('-', StringComparison.Ordinal) || string.Equals(type, "COMPOSITE", StringComparison.OrdinalIgnoreCase),
        };

    /// <summary>Gets the CRC of an algorithm; none for a hash.</summary>
    public static CrcSet.Kinds Crc(this ChecksumAlgorithm algorithm) => Find(algorithm)?.Crc ?? CrcSet.Kinds.None;

    /// <summary>Gets the name of the header that contains the value, in lower case.</summary>
    public static string HeaderName(this ChecksumAlgorithm algorithm)
        => Find(algorithm)?.HeaderName ?? throw new ArgumentOutOfRangeException(nameof(algorithm), algorithm, "The algorithm has no header.");

    /// <summary>Gets the name in messages and in the command-line tool.</summary>
    public static string Name(this ChecksumAlgorithm algorithm) => Find(algorithm)?.Name ?? (algorithm == ChecksumAlgorithm.None ? "none" : "auto");

    private static ChecksumEntry?[] Index()
    {
        ChecksumEntry?[] index = new ChecksumEntry?[Entries.Max(static entry => (int)entry.Algorithm) + 1];
        foreach (ChecksumEntry entry in Entries)
        {
            index[(int)entry.Algorithm] = entry;
        }

        return index;
    }
}
