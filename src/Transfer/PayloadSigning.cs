using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>Specifies whether the content of an upload is part of the signature of its request (<c>x-amz-content-sha256</c> of Signature Version 4).</summary>
[JsonConverter(typeof(JsonStringEnumConverter<PayloadSigning>))]
public enum PayloadSigning
{
    /// <summary>
    /// Over HTTPS and to this machine, content is not signed (<c>UNSIGNED-PAYLOAD</c>), but sent with a checksum. Over plain HTTP to another machine,
    /// it is signed, because anyone on the network could change both the content and the checksum. If the store rejects unsigned content, the client
    /// detects this once and signs it.
    /// </summary>
    Auto = 0,

    /// <summary>Content is always signed. This takes the time to compute its SHA-256.</summary>
    Always,

    /// <summary>
    /// Content is never signed, not even over plain HTTP. With <see cref="TransferWire.Sdk"/>, the AWS SDK signs it over plain HTTP nevertheless.
    /// </summary>
    Never,
}
