namespace Transfer.Tests.Infrastructure;

/// <summary>An object in the fake store.</summary>
internal sealed record FakeObject(byte[] Content, string? ETag = "\"0123456789abcdef0123456789abcdef\"")
{
    /// <summary>The checksum that GetObjectAttributes and HEAD tell.</summary>
    public string? Crc64Nvme { get; init; }

    /// <summary>What every GET's headers tell as the checksum.</summary>
    public string? Crc64NvmeInGet { get; init; }

    public static FakeObject Checked(byte[] content) => new(content) { Crc64Nvme = Integrity.CrcOf.Crc64Nvme(content) };
}
