namespace Transfer.S3.Tests.Infrastructure;

/// <summary>An object in the fake store.</summary>
internal sealed record FakeObject(byte[] Content, string? ETag = "\"a tag that is no MD5\"")
{
    /// <summary>Gets the checksum that GetObjectAttributes and HEAD return.</summary>
    public string? Crc64Nvme { get; init; }

    /// <summary>Gets the checksum in the headers of every GET response.</summary>
    public string? Crc64NvmeInGet { get; init; }

    /// <summary>Gets the checksum that HEAD, GetObjectAttributes, and a GET of the whole object return instead of <see cref="Crc64Nvme"/>.</summary>
    public StoredChecksum? Checksum { get; init; }

    /// <summary>Gets a value that indicates whether the type of <see cref="Checksum"/> is returned with it.</summary>
    public bool TellsChecksumType { get; init; } = true;

    /// <summary>Gets the lengths of the object's parts. Empty if the object was not a multipart upload.</summary>
    public IReadOnlyList<int> Parts { get; init; } = [];

    /// <summary>Gets the number of parts in a page of GetObjectAttributes; null if it lists none, as for an object without a checksum.</summary>
    public int? PartsInPage { get; init; }

    /// <summary>Gets the checksums of the parts that GetObjectAttributes returns; null for none.</summary>
    public IReadOnlyList<string>? PartCrc64Nvme { get; init; }

    /// <summary>Gets a value that indicates whether the response to a HEAD of a part includes the part's range.</summary>
    public bool TellsRanges { get; init; } = true;

    /// <summary>Gets the encryption that HEAD and GET return.</summary>
    public string? Encryption { get; init; }

    /// <summary>Gets the last-modified time that HEAD and GET return; null for none.</summary>
    public DateTimeOffset? LastModified { get; init; }

    /// <summary>Gets the user metadata that HEAD returns.</summary>
    public IReadOnlyDictionary<string, string> Metadata { get; init; } = new Dictionary<string, string>();

    public static FakeObject Checked(byte[] content) => new(content) { Crc64Nvme = Integrity.CrcOf.Crc64Nvme(content) };
}
