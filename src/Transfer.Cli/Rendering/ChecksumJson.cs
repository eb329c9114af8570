namespace Transfer.Cli.Rendering;

/// <summary>The verification of the content. All values are null if nothing was transferred or compared.</summary>
/// <param name="Algorithm">The name of the algorithm, as S3 writes it.</param>
/// <param name="Verdict">"verified", "unverified", or "mismatch".</param>
/// <param name="Value">The checksum in base64, as in S3.</param>
internal sealed record ChecksumJson(string? Algorithm, string? Verdict, string? Value)
{
    public static ChecksumJson None { get; } = new(null, null, null);

    public static ChecksumJson Of(ChecksumVerdict verdict)
        => new(NameOf(verdict.Algorithm), verdict.IsVerified ? "verified" : "unverified", verdict.Value);

    public static ChecksumJson Of(ChecksumMismatchException mismatch) => new(NameOf(mismatch.Algorithm), "mismatch", mismatch.Actual);

    public static string? NameOf(ChecksumAlgorithm algorithm) => algorithm switch
    {
        ChecksumAlgorithm.Crc64Nvme => "crc64nvme",
        ChecksumAlgorithm.Crc32C => "crc32c",
        ChecksumAlgorithm.Crc32 => "crc32",
        ChecksumAlgorithm.Sha256 => "sha256",
        ChecksumAlgorithm.Sha1 => "sha1",
        ChecksumAlgorithm.Md5 => "md5",
        _ => null,
    };
}
