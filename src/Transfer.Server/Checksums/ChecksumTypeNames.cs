using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Checksums;

/// <summary>The names of checksum types in headers and XML.</summary>
internal static class ChecksumTypeNames
{
    public const string HeaderName = "x-amz-checksum-type";

    public static string ApiName(this ChecksumType type) => type == ChecksumType.Composite ? "COMPOSITE" : "FULL_OBJECT";

    /// <summary>Parses <c>x-amz-checksum-type</c>; null if the header is missing.</summary>
    public static ChecksumType? FromHeader(string? value) => value switch
    {
        null => null,
        "COMPOSITE" => ChecksumType.Composite,
        "FULL_OBJECT" => ChecksumType.FullObject,
        _ => throw S3Errors.InvalidRequest("Value for x-amz-checksum-type header is invalid."),
    };
}
