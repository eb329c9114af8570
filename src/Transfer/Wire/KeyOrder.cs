namespace Transfer.S3.Wire;

/// <summary>
/// The order of UTF-8 bytes, in which S3 lists keys (Amazon S3 User Guide, "Listing object keys programmatically"). It differs from the order of UTF-16 code units
/// only for surrogate pairs, which come after all other characters.
/// </summary>
internal sealed class KeyOrder : IComparer<string>
{
    public static readonly KeyOrder Instance = new();

    public int Compare(string? x, string? y)
    {
        ReadOnlySpan<char> a = x;
        ReadOnlySpan<char> b = y;
        int same = a.CommonPrefixLength(b);
        return same == a.Length || same == b.Length ? a.Length - b.Length
            : char.IsSurrogate(a[same]) == char.IsSurrogate(b[same]) ? a[same] - b[same]
            : char.IsSurrogate(a[same]) ? 1
            : -1;
    }
}
