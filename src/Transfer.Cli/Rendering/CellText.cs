using System.Text;
using Spectre.Console.Rendering;

namespace Transfer.S3.Cli.Rendering;

/// <summary>Measures text in terminal cells. Some characters take two cells.</summary>
internal static class CellText
{
    public static int Width(string text) => new Segment(text).CellCount();

    /// <summary>Gets the text if it fits; otherwise, a mark and the end of the text, which distinguishes names.</summary>
    public static string Fit(string text, int width, string mark)
    {
        if (Width(text) <= width)
        {
            return text;
        }

        int space = width - Width(mark);
        if (space <= 0)
        {
            return string.Empty;
        }

        Stack<Rune> kept = [];
        int used = 0;
        foreach (Rune rune in text.EnumerateRunes().Reverse())
        {
            int cells = Width(rune.ToString());
            if (used + cells > space)
            {
                break;
            }

            used += cells;
            kept.Push(rune);
        }

        StringBuilder fitted = new(mark);
        foreach (Rune rune in kept)
        {
            fitted.Append(rune.ToString());
        }

        return fitted.ToString();
    }
}
