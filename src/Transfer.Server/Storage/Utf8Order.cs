namespace Transfer.S3.Server.Storage;

/// <summary>Compares strings by their UTF-8 bytes, the order of S3 listings.</summary>
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

        // UTF-16 code units sort like UTF-8 bytes, except surrogates: they represent code points above all single code units.
        char a = x[common];
        char b = y[common];
        bool high = char.IsSurrogate(a);
        return high == char.IsSurrogate(b) ? a.CompareTo(b) : high ? 1 : -1;
    }
}
