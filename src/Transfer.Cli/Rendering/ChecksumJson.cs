using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Rendering;

/// <summary>The verification of the content. All values are null if nothing was transferred or compared.</summary>
/// <param name="Algorithm">The name of the algorithm, as S3 writes it.</param>
/// <param name="Verdict">"verified", "unverified", or "mismatch".</param>
/// <param name="Value">The checksum in base64, as in S3.</param>
internal sealed record ChecksumJson(string? Algorithm, string? Verdict, string? Value)
{
    public static ChecksumJson None { get; } = new(null, null, null);

    public static ChecksumJson From(ChecksumVerdict verdict)
        => new(ChecksumText.GetName(verdict.Algorithm), verdict.IsVerified ? "verified" : "unverified", verdict.Value);

    public static ChecksumJson From(ChecksumMismatchException mismatch) => new(ChecksumText.GetName(mismatch.Algorithm), "mismatch", mismatch.Actual);
}
