using System.Text;
using Spectre.Console.Rendering;

namespace Transfer.Cli.Rendering;

/// <summary>Text measured in cells of a terminal, where some characters take two.</summary>
internal static class CellText
{
    public static int Width(string text) => new Segment(text).CellCount();

    /// <summary>The text if it fits; else its end, which tells names apart, behind a mark.</summary>
    public static string Fit(string text, int width, string mark)
    {
        if (Width(text) <= width)
        {
            return text;
        }

        int room = width - Width(mark);
        if (room <= 0)
        {
            return string.Empty;
        }

        Stack<Rune> kept = [];
        int used = 0;
        foreach (Rune rune in text.EnumerateRunes().Reverse())
        {
            int cells = Width(rune.ToString());
            if (used + cells > room)
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
