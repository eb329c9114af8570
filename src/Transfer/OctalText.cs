namespace Transfer.S3;

/// <summary>Reads permissions of files, which are octal digits in the metadata of objects and in <c>/proc</c>.</summary>
internal static class OctalText
{
    /// <summary>Enough for the type and the mode of a file.</summary>
    private const int MaxDigits = 7;

    public static bool TryParse(ReadOnlySpan<char> text, out int value)
    {
        value = 0;
        if (text.Length is 0 or > MaxDigits || text.ContainsAnyExceptInRange('0', '7'))
        {
            return false;
        }

        foreach (char digit in text)
        {
            value = (value * 8) + (digit - '0');
        }

        return true;
    }
}
