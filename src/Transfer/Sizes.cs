namespace Transfer.S3;

/// <summary>Units of sizes, in bytes.</summary>
internal static class Sizes
{
    public const long KiB = 1024;
    public const long MiB = 1024 * KiB;
    public const long GiB = 1024 * MiB;
    public const long TiB = 1024 * GiB;

    /// <summary>
    /// The largest size of an object or a part that is believed: five times the limit of Amazon S3 (50 TB). The sum of 10,000 such parts doesn't overflow.
    /// </summary>
    public const long MaxObject = 256 * TiB;
}
