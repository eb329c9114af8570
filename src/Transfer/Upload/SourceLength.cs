namespace Transfer.Upload;

/// <summary>A source that is not as long as it said: publishing what there was would publish the wrong object.</summary>
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
