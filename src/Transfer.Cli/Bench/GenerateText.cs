using System.Globalization;

namespace Transfer.S3.Cli.Bench;

/// <summary>Parses the size and number of objects to create: "64MiB×16", "64MiBx16".</summary>
internal static class GenerateText
{
    public const string Accepted = "a size and a number of objects, such as 64MiBx16";
    private const int MaxCount = 1_000_000;

    public static bool TryParse(string text, out (long SizeBytes, int Count) objects)
    {
        objects = default;
        int cross = text.LastIndexOfAny(['x', 'X', '×']);
        if (cross < 0
            || !ByteSize.TryParse(text[..cross], out long size)
            || !int.TryParse(text.AsSpan(cross + 1).Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out int count)
            || size < 1
            || count is < 1 or > MaxCount)
        {
            return false;
        }

        objects = (size, count);
        return true;
    }
}
