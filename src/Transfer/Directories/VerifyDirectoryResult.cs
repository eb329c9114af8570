namespace Transfer;

/// <summary>What a comparison of a folder with a prefix came to.</summary>
public sealed record VerifyDirectoryResult
{
    /// <summary>Whether everything was compared and is the same.</summary>
    public bool IsSame => Different + MissingHere + MissingThere + NotCompared + Failed == 0;

    /// <summary>Objects that are known to be the same as their files; one that stands for a folder, as the folder.</summary>
    public required long Same { get; init; }

    /// <summary>Objects that differ from their files.</summary>
    public required long Different { get; init; }

    /// <summary>Objects without a file.</summary>
    public required long MissingHere { get; init; }

    /// <summary>Files without an object.</summary>
    public required long MissingThere { get; init; }

    /// <summary>What could not be compared without reading what must not or can't be read.</summary>
    public required long NotCompared { get; init; }

    /// <summary>Files, folders and objects whose comparison failed.</summary>
    public required long Failed { get; init; }

    /// <summary>
    /// The first 1,000 differences that were found: everything that is not known to be the same, in the order of the keys' bytes. <see
    /// cref="VerifyDirectoryOptions.DifferenceFound"/> receives all of them.
    /// </summary>
    public required IReadOnlyList<ObjectDifference> Differences { get; init; }

    /// <summary>Bytes of files that were compared, as in <see cref="VerifyResult.Bytes"/>.</summary>
    public required long Bytes { get; init; }

    /// <summary>Requests sent, retries and pages of the listing included.</summary>
    public required long Requests { get; init; }

    /// <summary>Requests that repeated one that failed.</summary>
    public required long Retries { get; init; }

    /// <summary>Time from the call to the end.</summary>
    public required TimeSpan Elapsed { get; init; }
}
