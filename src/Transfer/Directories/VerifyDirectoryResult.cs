namespace Transfer.S3;

/// <summary>The result of the comparison of a directory with a prefix.</summary>
public sealed record VerifyDirectoryResult
{
    /// <summary>Gets a value that indicates whether everything was compared and is the same.</summary>
    /// <value><see langword="true"/> if everything is the same; otherwise, <see langword="false"/>.</value>
    public bool IsSame => Different + MissingLocally + MissingInStore + NotCompared + Failed == 0;

    /// <summary>Gets the number of objects that are known to be the same as their files, including objects that represent directories.</summary>
    public required long Same { get; init; }

    /// <summary>Gets the number of objects that differ from their files.</summary>
    public required long Different { get; init; }

    /// <summary>Gets the number of objects without a file.</summary>
    public required long MissingLocally { get; init; }

    /// <summary>Gets the number of files without an object.</summary>
    public required long MissingInStore { get; init; }

    /// <summary>Gets the number of objects that could not be compared without reading content that can't or must not be read.</summary>
    public required long NotCompared { get; init; }

    /// <summary>Gets the number of files, directories, and objects whose comparison failed.</summary>
    public required long Failed { get; init; }

    /// <summary>
    /// Gets the first 1,000 differences that were found, in the order of the bytes of their keys. <see cref="VerifyDirectoryOptions.DifferenceFound"/> receives all
    /// of them.
    /// </summary>
    public required IReadOnlyList<ObjectDifference> Differences { get; init; }

    /// <summary>Gets the number of bytes of files that were compared, as in <see cref="VerifyResult.Bytes"/>.</summary>
    public required long Bytes { get; init; }

    /// <summary>Gets the time, the requests, and the bytes of the comparison.</summary>
    public required TransferStatistics Statistics { get; init; }
}
