namespace Transfer.Compatibility;

/// <summary>A step of one file's progress, of a transfer of many.</summary>
/// <param name="Increment">Bytes since the last step.</param>
/// <param name="Transferred">The file's bytes that are moved.</param>
/// <param name="Total">Those that it has.</param>
/// <param name="IsEnd">Whether it is the last step.</param>
internal readonly record struct FileStep(long Increment, long Transferred, long Total, bool IsEnd)
{
    /// <summary>The one step of a file that is told of only when it is done.</summary>
    public static FileStep OfWhole(long bytes) => new(bytes, bytes, bytes, IsEnd: true);
}
