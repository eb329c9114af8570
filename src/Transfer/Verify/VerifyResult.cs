namespace Transfer.S3;

/// <summary>The result of the comparison of a file with an object.</summary>
public sealed record VerifyResult
{
    /// <summary>Gets a value that indicates whether the file and the object are known to be the same.</summary>
    /// <value><see langword="true"/> if they are the same; <see langword="false"/> if they differ or were not compared.</value>
    public required bool IsSame { get; init; }

    /// <summary>Gets the method that determined the result; <see cref="VerifyMethod.None"/> if the file and the object were not compared.</summary>
    public required VerifyMethod Method { get; init; }

    /// <summary>Gets the algorithm of the checksums or ETags that were compared; <see langword="null"/> if none were compared.</summary>
    public ChecksumAlgorithm? Algorithm { get; init; }

    /// <summary>
    /// Gets the checksum of the file in base64, as S3 returns it; <see langword="null"/> if no checksums were compared. A composite checksum of N parts ends in
    /// <c>-N</c>.
    /// </summary>
    public string? Checksum { get; init; }

    /// <summary>Gets a description of the difference: the sizes, the checksums, or the position of the first byte that differs.</summary>
    /// <value>The description, or the reason why nothing was compared; <see langword="null"/> if both are the same.</value>
    public string? Difference { get; init; }

    /// <summary>
    /// Gets the number of bytes of the file that were compared: 0 if the sizes differ, the bytes before the first difference if the object was read, and otherwise
    /// all bytes.
    /// </summary>
    public required long Bytes { get; init; }

    /// <summary>Gets the time, the requests, and the bytes of the comparison.</summary>
    public required TransferStatistics Statistics { get; init; }
}
