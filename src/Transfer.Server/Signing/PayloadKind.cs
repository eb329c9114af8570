namespace Transfer.S3.Server.Signing;

/// <summary>Specifies how the body is protected, according to <c>x-amz-content-sha256</c>.</summary>
internal enum PayloadKind
{
    Unsigned,
    Sha256,
    SignedChunks,
    SignedChunksTrailer,
    UnsignedChunksTrailer,
}
