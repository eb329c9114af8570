namespace Transfer;

/// <summary>What requests are sent with.</summary>
public enum TransferWire
{
    /// <summary>Our own connections where the client is an <see cref="Amazon.S3.AmazonS3Client"/> itself, else its calls.</summary>
    Auto = 0,

    /// <summary>
    /// Our own connections, with the client's configuration, credentials and endpoints: less work for each byte and request. Requests that need another signature than
    /// Amazon S3's (directory buckets, multi-Region access points, S3 Object Lambda, S3 on Outposts) are sent by the SDK.
    /// </summary>
    Http,

    /// <summary>The calls of the <see cref="Amazon.S3.IAmazonS3"/> that was given, whatever it is.</summary>
    Sdk,
}
