using System.Text;

namespace Transfer.Cli.Rendering;

/// <summary>Names that come from a store or from the line, made safe for a terminal and for a message of one line.</summary>
internal static class Printable
{
    /// <summary>The text with every control character written as an escape.</summary>
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

    /// <summary>A message of several lines as one.</summary>
    public static string Line(string text)
        => Text(string.Join(' ', text.Split(['\r', '\n'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)));

    // Beside the controls of C0 and C1: marks that turn the direction of writing, which can make one name look like another.
    private static bool IsUnsafe(char c) => char.IsControl(c) || c is (>= '\u202a' and <= '\u202e') or (>= '\u2066' and <= '\u2069');
}
