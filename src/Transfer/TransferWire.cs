using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>The implementation that sends requests.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<TransferWire>))]
public enum TransferWire
{
    /// <summary><see cref="Http"/> if the client is exactly an <see cref="Amazon.S3.AmazonS3Client"/>; otherwise, <see cref="Sdk"/>.</summary>
    Auto = 0,

    /// <summary>
    /// Connections of the library, with the configuration, credentials, and endpoints of the SDK client. This takes less processor time for each byte and request.
    /// Requests that need another signature than the one of Amazon S3 (directory buckets, multi-Region access points, S3 Object Lambda, and S3 on Outposts) are sent
    /// by the SDK.
    /// </summary>
    Http,

    /// <summary>The methods of the <see cref="Amazon.S3.IAmazonS3"/> that the client was created with.</summary>
    Sdk,
}
