namespace Transfer.Tests.Infrastructure;

/// <summary>An object in the fake store.</summary>
internal sealed record FakeObject(byte[] Content, string? ETag = "\"a tag that is no MD5\"")
{
    /// <summary>The checksum that GetObjectAttributes and HEAD tell.</summary>
    public string? Crc64Nvme { get; init; }

    /// <summary>What every GET's headers tell as the checksum.</summary>
    public string? Crc64NvmeInGet { get; init; }

    /// <summary>The checksum that HEAD and GetObjectAttributes tell instead of <see cref="Crc64Nvme"/>, and a GET of all of the object.</summary>
    public StoredChecksum? Checksum { get; init; }

    /// <summary>The lengths of its parts; none where it came in one piece.</summary>
    public IReadOnlyList<int> Parts { get; init; } = [];

    /// <summary>How many parts GetObjectAttributes lists in a page; null where it lists none, as of an object without a checksum.</summary>
    public int? PartsInPage { get; init; }

    /// <summary>Whether a HEAD of a part tells where that is.</summary>
    public bool TellsRanges { get; init; } = true;

    /// <summary>What HEAD and GET tell of the encryption.</summary>
    public string? Encryption { get; init; }

    /// <summary>What HEAD tells as the time of the last modification; null for nothing.</summary>
    public DateTimeOffset? LastModified { get; init; }

    /// <summary>The user metadata that HEAD tells.</summary>
    public IReadOnlyDictionary<string, string> Metadata { get; init; } = new Dictionary<string, string>();

    public static FakeObject Checked(byte[] content) => new(content) { Crc64Nvme = Integrity.CrcOf.Crc64Nvme(content) };
}
