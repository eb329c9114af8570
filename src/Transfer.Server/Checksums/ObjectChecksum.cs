using System.Text.Json.Serialization;

namespace Transfer.S3.Server.Checksums;

/// <summary>The checksum of an object.</summary>
internal sealed record ObjectChecksum(ChecksumAlgorithm Algorithm, ChecksumType Type, string Value)
{
    [JsonIgnore]
    public ChecksumInfo Info => ChecksumInfo.Get(Algorithm);

    /// <summary>Returns a value that indicates whether the value matches the format of the algorithm and the type.</summary>
    public bool IsWellFormed() =>
        ChecksumInfo.IsKnown(Algorithm)
        && Value is not null
        && (Type == ChecksumType.Composite ? Value.Contains('-', StringComparison.Ordinal) : Type == ChecksumType.FullObject)
        && Info.IsWellFormed(ValueWithoutCount);

    /// <summary>Gets the value for GetObjectAttributes, the only response in which S3 omits the number of parts.</summary>
    public string ValueWithoutCount => Type == ChecksumType.Composite ? Value[..Value.IndexOf('-', StringComparison.Ordinal)] : Value;
}
