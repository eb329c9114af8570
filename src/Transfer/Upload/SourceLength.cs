namespace Transfer.S3.Upload;

/// <summary>Throws exceptions for a source that doesn't have the expected length, because the wrong object would be published.</summary>
internal static class SourceLength
{
    /// <param name="given">The length that the caller gave; null if there is none.</param>
    /// <param name="known">The length that the source knows; null if it doesn't know it.</param>
    public static void CheckIsGiven(long? given, long? known)
    {
        if (given is { } length && known is { } own && length != own)
        {
            throw new TransferException($"The source has {own} bytes, but {nameof(UploadOptions)}.{nameof(UploadOptions.Length)} is {length}.");
        }
    }

    public static void CheckNotShort(long? expected, long actual)
    {
        if (expected is { } length && actual < length)
        {
            throw new TransferException($"The source ended after {actual} bytes, but {length} were expected when the upload started.");
        }
    }

    public static TransferException TooLong(long expected)
        => new($"The source has more than the {expected} bytes that were expected when the upload started.");
}
