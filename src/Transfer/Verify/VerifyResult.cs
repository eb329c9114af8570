namespace Transfer;

/// <summary>Whether a file and an object are the same, and how that is known.</summary>
public sealed record VerifyResult
{
    /// <summary>Whether they are known to be the same.</summary>
    public required bool IsSame { get; init; }

    /// <summary>What told it. <see cref="VerifyMethod.None"/>: they were not compared, and <see cref="IsSame"/> is false.</summary>
    public required VerifyMethod How { get; init; }

    /// <summary>The algorithm of the checksums or entity tags that were compared; null where none were.</summary>
    public ChecksumAlgorithm? Algorithm { get; init; }

    /// <summary>The file's checksum in base64 as S3 sends it, with <c>-N</c> behind it where it is made of N parts' checksums; null where none was compared.</summary>
    public string? Checksum { get; init; }

    /// <summary>What differs, for a person: sizes, checksums, or where the first byte is that differs. Why nothing was compared, where that is so; null where both are the same.</summary>
    public string? Difference { get; init; }

    /// <summary>Bytes of the file that were compared: none where the sizes differ, those before the first difference where the object was read, else all.</summary>
    public required long Bytes { get; init; }

    /// <summary>Time from the call to the end.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Requests sent, retries included.</summary>
    public required int Requests { get; init; }

    /// <summary>Requests that repeated one that failed.</summary>
    public required int Retries { get; init; }
}
