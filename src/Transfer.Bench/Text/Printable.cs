using System.Text;

namespace Transfer.S3.Bench.Text;

/// <summary>Makes text from a store or from the command line safe for terminals and one-line messages.</summary>
internal static class Printable
{
    /// <summary>Escapes control characters.</summary>
    public static string Text(string text)
    {
        if (!text.Any(IsUnsafe))
        {
            return text;
        }

        StringBuilder safe = new(text.Length + 8);
        foreach (char c in text)
        {
            _ = c switch
            {
                '\n' => safe.Append("\\n"),
                '\r' => safe.Append("\\r"),
                '\t' => safe.Append("\\t"),
                _ when IsUnsafe(c) => safe.Append("\\u").Append(((int)c).ToString("x4")),
                _ => safe.Append(c),
            };
        }

        return safe.ToString();
    }

    /// <summary>Joins lines and escapes control characters.</summary>
    public static string Line(string text)
        => Text(string.Join(' ', text.Split(['\r', '\n'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)));

    // Besides the control characters of C0 and C1: bidirectional control characters, which can make one name look like another.
    private static bool IsUnsafe(char c) => char.IsControl(c) || c is (>= '\u202a' and <= '\u202e') or (>= '\u2066' and <= '\u2069');
}
