using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Signing;

/// <summary>The value of <c>x-amz-content-sha256</c>.</summary>
internal sealed record PayloadHash(PayloadKind Kind, string Value)
{
    public const string HeaderName = "x-amz-content-sha256";
    private const int HexLength = 64;

    public static readonly PayloadHash Unsigned = new(PayloadKind.Unsigned, "UNSIGNED-PAYLOAD");

    public bool IsChunked => Kind is PayloadKind.SignedChunks or PayloadKind.SignedChunksTrailer or PayloadKind.UnsignedChunksTrailer;

    public bool HasTrailer => Kind is PayloadKind.SignedChunksTrailer or PayloadKind.UnsignedChunksTrailer;

    public bool HasSignedChunks => Kind is PayloadKind.SignedChunks or PayloadKind.SignedChunksTrailer;

    public static PayloadHash Parse(string value) => value switch
    {
        "UNSIGNED-PAYLOAD" => Unsigned,
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" => new PayloadHash(PayloadKind.SignedChunks, value),
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER" => new PayloadHash(PayloadKind.SignedChunksTrailer, value),
        "STREAMING-UNSIGNED-PAYLOAD-TRAILER" => new PayloadHash(PayloadKind.UnsignedChunksTrailer, value),
        { Length: HexLength } when value.All(char.IsAsciiHexDigit) => new PayloadHash(PayloadKind.Sha256, value),
        _ => throw S3Errors.InvalidArgument(
            "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, "
            + "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER or a valid sha256 value.",
            HeaderName,
            value),
    };
}
