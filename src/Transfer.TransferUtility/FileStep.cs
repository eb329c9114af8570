namespace Transfer.S3.TransferUtility;

/// <summary>A step of the progress of one file in a transfer of many files.</summary>
/// <param name="Increment">The number of bytes since the last step.</param>
/// <param name="Transferred">The number of bytes of the file that were transferred.</param>
/// <param name="Total">The size of the file, in bytes.</param>
/// <param name="IsEnd">Whether it is the last step.</param>
internal readonly record struct FileStep(long Increment, long Transferred, long Total, bool IsEnd)
{
    /// <summary>Creates the only step of a file that is reported when it is complete.</summary>
    public static FileStep OfWhole(long bytes) => new(bytes, bytes, bytes, IsEnd: true);
}
