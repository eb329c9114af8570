namespace Transfer.S3.Integrity;

/// <summary>The checksum of the whole content of a file, with which the file can be recognized again.</summary>
/// <param name="Algorithm">The algorithm.</param>
/// <param name="Value">The checksum in base64.</param>
internal sealed record ContentChecksum(ChecksumAlgorithm Algorithm, string Value)
{
    /// <summary>Gets the checksum that was compared or sent; null if there is none, or if it is made of those of parts.</summary>
    public static ContentChecksum? From(ChecksumAlgorithm algorithm, string? value)
        => string.IsNullOrEmpty(value) || value.Contains('-', StringComparison.Ordinal) || ChecksumTable.Find(algorithm) is null ? null : new ContentChecksum(algorithm, value);
}
