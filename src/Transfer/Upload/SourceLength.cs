namespace Transfer.Upload;

/// <summary>Throws exceptions for a source that doesn't have the expected length, because the wrong object would be published.</summary>
internal static class SourceLength
{
    public static void CheckNotShort(long? expected, long actual)
    {
        if (expected is { } length && actual < length)
        {
            throw new TransferException($"The source ended after {actual} bytes. It had {length} bytes when the upload started.");
        }
    }

    public static TransferException TooLong(long expected)
        => new($"The source has more than the {expected} bytes that it had when the upload started.");
}
