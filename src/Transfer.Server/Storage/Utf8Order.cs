namespace Transfer.Server.Storage;

/// <summary>Orders text as its UTF-8 bytes would be, which is the order of S3 listings.</summary>
internal sealed class Utf8Order : IComparer<string>
{
    public static readonly Utf8Order Instance = new();

    public int Compare(string? x, string? y)
    {
        int common = x.AsSpan().CommonPrefixLength(y);
        if (common == x!.Length || common == y!.Length)
        {
            return x.Length.CompareTo(y!.Length);
        }

        // UTF-16 units sort as UTF-8 bytes do, but for surrogates: they stand for characters above all that are one unit.
        char a = x[common];
        char b = y[common];
        bool high = char.IsSurrogate(a);
        return high == char.IsSurrogate(b) ? a.CompareTo(b) : high ? 1 : -1;
    }
}
