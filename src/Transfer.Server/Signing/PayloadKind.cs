namespace Transfer.Server.Signing;

/// <summary>How <c>x-amz-content-sha256</c> says the body is protected.</summary>
internal enum PayloadKind
{
    Unsigned,
    Sha256,
    SignedChunks,
    SignedChunksTrailer,
    UnsignedChunksTrailer,
}
