namespace Transfer;

/// <summary>Whether the bytes that were moved are known to be the store's.</summary>
/// <remarks>A mismatch is never a verdict: it is a <see cref="ChecksumMismatchException"/>.</remarks>
public sealed record ChecksumVerdict
{
    private ChecksumVerdict(bool isVerified, ChecksumAlgorithm algorithm, string? value, string? reason)
    {
        IsVerified = isVerified;
        Algorithm = algorithm;
        Value = value;
        Reason = reason;
    }

    /// <summary>Whether a checksum computed here equals the one that the store holds.</summary>
    public bool IsVerified { get; }

    /// <summary>The algorithm that was compared, or <see cref="ChecksumAlgorithm.None"/>.</summary>
    public ChecksumAlgorithm Algorithm { get; }

    /// <summary>
    /// The checksum in base64 as S3 sends it; with a <c>-N</c> behind it where it is made of N parts' checksums. Of an entity tag that is an MD5, that MD5 in base64 too.
    /// </summary>
    public string? Value { get; }

    /// <summary>Whether <see cref="Value"/> is a composite checksum, made of the parts' checksums, and not one of the content as a whole.</summary>
    public bool IsComposite => Value?.Contains('-', StringComparison.Ordinal) == true;

    /// <summary>Why nothing was verified; null where it was.</summary>
    public string? Reason { get; }

    /// <inheritdoc/>
    public override string ToString() => IsVerified ? $"verified ({(IsComposite ? "composite " : string.Empty)}{Algorithm.Name()} {Value})" : $"unverified ({Reason})";

    internal static ChecksumVerdict Verified(ChecksumAlgorithm algorithm, string value) => new(true, algorithm, value, null);

    internal static ChecksumVerdict Unverified(string reason, ChecksumAlgorithm algorithm = ChecksumAlgorithm.None, string? value = null)
        => new(false, algorithm, value, reason);
}
