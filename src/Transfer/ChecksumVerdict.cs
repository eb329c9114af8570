using Transfer.S3.Integrity;

namespace Transfer.S3;

/// <summary>The result of verifying transferred data: whether it matches the checksum that the store holds.</summary>
/// <remarks>A mismatch is reported by a <see cref="ChecksumMismatchException"/>, never by this type.</remarks>
public sealed record ChecksumVerdict
{
    private ChecksumVerdict(bool isVerified, ChecksumAlgorithm algorithm, string? value, string? reason)
    {
        IsVerified = isVerified;
        Algorithm = algorithm;
        Value = value;
        Reason = reason;
    }

    /// <summary>Gets a value that indicates whether the checksum that the client computed is equal to the one that the store holds.</summary>
    /// <value><see langword="true"/> if the checksums are equal; <see langword="false"/> if the content could not be verified.</value>
    public bool IsVerified { get; }

    /// <summary>Gets the algorithm of the checksum; <see cref="ChecksumAlgorithm.None"/> if there is none.</summary>
    public ChecksumAlgorithm Algorithm { get; }

    /// <summary>Gets the checksum in base64, as S3 returns it; <see langword="null"/> if there is none.</summary>
    /// <remarks>A composite checksum of N parts ends in <c>-N</c>. If the ETag was compared, the value is the MD5 in base64 too.</remarks>
    public string? Value { get; }

    /// <summary>Gets a value that indicates whether <see cref="Value"/> is a composite checksum.</summary>
    /// <value>
    /// <see langword="true"/> if the checksum is made of the checksums of the parts; <see langword="false"/> if it is a checksum of the whole content.
    /// </value>
    public bool IsComposite => Value?.Contains('-', StringComparison.Ordinal) == true;

    /// <summary>Gets the reason why the content was not verified; <see langword="null"/> if it was verified.</summary>
    public string? Reason { get; }

    /// <inheritdoc/>
    public override string ToString() => IsVerified ? $"verified ({(IsComposite ? "composite " : string.Empty)}{Algorithm.Name()} {Value})" : $"unverified ({Reason})";

    internal static ChecksumVerdict Verified(ChecksumAlgorithm algorithm, string value) => new(true, algorithm, value, null);

    internal static ChecksumVerdict Unverified(string reason, ChecksumAlgorithm algorithm = ChecksumAlgorithm.None, string? value = null)
        => new(false, algorithm, value, reason);
}
