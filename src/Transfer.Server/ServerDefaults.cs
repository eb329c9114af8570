namespace Transfer.S3.Server;

/// <summary>The defaults of the server, and the limits of the S3 protocol.</summary>
internal static class ServerDefaults
{
    public const string Host = "127.0.0.1";
    public const string AccessKeyId = "transfer";
    public const string SecretAccessKey = "transfer-secret";
    public const string AccountId = "000000000000";
    public const string Region = "us-east-1";

    public const int RequestLogCapacity = 16_384;
    public const long MinimumBytesPerSecond = 1024;
    public static readonly TimeSpan MaximumFirstByteDelay = TimeSpan.FromMinutes(5);

    // https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
    public const int MaximumPartNumber = 10_000;
    public const long MinimumPartBytes = 5L << 20;
    public const long MaximumPartBytes = 5L << 30;
    public const int MaximumKeyBytes = 1024;
    public const int MaximumUserMetadataBytes = 2048;
    public const int MaximumTags = 10;
    public const int MaximumBucketTags = 50;
    public const int MaximumTagKey = 128;
    public const int MaximumTagValue = 256;
    public const int MaximumPageEntries = 1000;
    public const int MaximumDeleteKeys = 1000;

    /// <summary>The maximum size of an XML body. A completion of 10,000 parts with SHA-256 values needs about 2 MiB.</summary>
    public const int MaximumXmlBytes = 8 << 20;

    /// <summary>The longest restoration is one of 48 hours (Amazon S3 User Guide, "Archive retrieval options").</summary>
    public static readonly TimeSpan MaximumRestoreTime = TimeSpan.FromDays(2);

    public static readonly TimeSpan MaximumClockSkew = TimeSpan.FromMinutes(15);
    public const int MaximumPresignedSeconds = 604_800;

    public const string DefaultContentType = "binary/octet-stream";
    public const string DefaultStorageClass = "STANDARD";
}
