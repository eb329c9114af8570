using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Rendering;

/// <summary>A checksum that the store holds.</summary>
/// <param name="Algorithm">The name of the algorithm, such as "crc64nvme".</param>
/// <param name="Value">The checksum in base64, as in S3.</param>
/// <param name="Type">"full_object" or "composite".</param>
internal sealed record StoredChecksumJson(string Algorithm, string Value, string Type)
{
    public static StoredChecksumJson? From(StoredChecksum? checksum)
        => checksum is null ? null : new StoredChecksumJson(ChecksumText.GetName(checksum.Algorithm)!, checksum.Value, checksum.IsComposite ? "composite" : "full_object");
}
