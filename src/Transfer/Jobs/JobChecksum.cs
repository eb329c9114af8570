using Transfer.S3.Integrity;

namespace Transfer.S3.Jobs;

/// <summary>The verification of one item.</summary>
/// <param name="Verdict">"verified", "unverified", or "mismatch".</param>
/// <param name="Algorithm">The name of the algorithm, in lower case.</param>
/// <param name="Value">The checksum in base64, as in S3.</param>
internal sealed record JobChecksum(string Verdict, string? Algorithm = null, string? Value = null)
{
    public static JobChecksum Of(ChecksumVerdict verdict) => new(verdict.IsVerified ? "verified" : "unverified", NameOf(verdict.Algorithm), verdict.Value);

    public static JobChecksum Of(ChecksumMismatchException mismatch) => new("mismatch", NameOf(mismatch.Algorithm), mismatch.Actual);

    private static string? NameOf(ChecksumAlgorithm algorithm) => ChecksumTable.Find(algorithm)?.Name;
}
