using Transfer.S3.Integrity;

namespace Transfer.S3.Jobs;

/// <summary>The verification of one item.</summary>
/// <param name="Verdict">"verified", "unverified", or "mismatch".</param>
/// <param name="Algorithm">The name of the algorithm, in lower case.</param>
/// <param name="Value">The checksum in base64, as in S3.</param>
internal sealed record JobChecksum(string Verdict, string? Algorithm = null, string? Value = null)
{
    public static JobChecksum From(ChecksumVerdict verdict) => new(verdict.IsVerified ? "verified" : "unverified", GetName(verdict.Algorithm), verdict.Value);

    public static JobChecksum From(ChecksumMismatchException mismatch) => new("mismatch", GetName(mismatch.Algorithm), mismatch.Actual);

    private static string? GetName(ChecksumAlgorithm algorithm) => ChecksumTable.Find(algorithm)?.Name;
}
