namespace Transfer;

/// <summary>Whether the bytes of an upload are part of their request's signature (Signature Version 4's <c>x-amz-content-sha256</c>).</summary>
public enum PayloadSigning
{
    /// <summary>
    /// Over TLS and to this machine a body is sent as <c>UNSIGNED-PAYLOAD</c>, with a checksum beside it; over plain http to anywhere else its SHA-256 is
    /// signed, because whoever is on the way could change both. A store that refuses unsigned bodies is found out by its first refusal, and gets signed ones.
    /// </summary>
    Auto = 0,

    /// <summary>Every body is signed. It costs a pass of SHA-256 over the bytes.</summary>
    Always,

    /// <summary>
    /// No body is signed, not even over plain http. Only on our own connections: the AWS SDK, which sends where <see cref="TransferWire.Sdk"/> is chosen,
    /// signs over plain http all the same.
    /// </summary>
    Never,
}
