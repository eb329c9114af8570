namespace Transfer.Server.Checksums;

/// <summary>The checksum that an object carries.</summary>
internal sealed record ObjectChecksum(ChecksumKind Algorithm, ChecksumType Type, string Value)
{
    public ChecksumInfo Info => ChecksumInfo.Of(Algorithm);

    /// <summary>Whether the value is one of the algorithm's and the type.</summary>
    public bool IsWellFormed() =>
        ChecksumInfo.IsKnown(Algorithm)
        && Value is not null
        && (Type == ChecksumType.Composite ? Value.Contains('-', StringComparison.Ordinal) : Type == ChecksumType.FullObject)
        && Info.IsWellFormed(ValueWithoutCount);

    /// <summary>The value as GetObjectAttributes tells it: S3 leaves the number of parts out there, and only there.</summary>
    public string ValueWithoutCount => Type == ChecksumType.Composite ? Value[..Value.IndexOf('-', StringComparison.Ordinal)] : Value;
}
