namespace Transfer;

/// <summary>The algorithms' names as S3 and the tool write them.</summary>
internal static class ChecksumNames
{
    public static string Name(this ChecksumAlgorithm algorithm) => algorithm switch
    {
        ChecksumAlgorithm.Crc64Nvme => "crc64nvme",
        ChecksumAlgorithm.Crc32C => "crc32c",
        ChecksumAlgorithm.Crc32 => "crc32",
        ChecksumAlgorithm.Sha256 => "sha256",
        ChecksumAlgorithm.Sha1 => "sha1",
        ChecksumAlgorithm.None => "none",
        _ => "auto",
    };
}
