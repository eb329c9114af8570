using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Bench.Report;

/// <summary>
/// HTML that is also well-formed XML, built from interpolated strings: literals are markup, and values are text that is escaped. So no text from a store or from the
/// command line can become markup.
/// </summary>
internal sealed class HtmlText
{
    private readonly StringBuilder _html = new();

    public static HtmlText From(Markup markup) => markup.Target;

    public HtmlText Add([InterpolatedStringHandlerArgument("")] Markup markup)
    {
        Debug.Assert(markup.Target == this, "the string was built before the call, into this instance");
        return this;
    }

    /// <summary>Creates markup from a resource of the program, without escaping.</summary>
    public static HtmlText Raw(string html)
    {
        HtmlText text = new();
        text._html.Append(html);
        return text;
    }

    public override string ToString() => _html.ToString();

    private void Escape(ReadOnlySpan<char> text)
    {
        foreach (Rune rune in text.EnumerateRunes()) // half a pair of surrogates becomes a replacement character
        {
            _ = rune.Value switch
            {
                '&' => _html.Append("&amp;"),
                '<' => _html.Append("&lt;"),
                '>' => _html.Append("&gt;"),
                '"' => _html.Append("&quot;"),
                '\'' => _html.Append("&#39;"),
                0xFFFE or 0xFFFF => _html.Append('\uFFFD'), // not valid in XML
                _ => _html.Append(rune),
            };
        }
    }

    /// <summary>The handler that the compiler calls for an interpolated string.</summary>
    [InterpolatedStringHandler]
    public readonly struct Markup
    {
        public Markup(int literalLength, int formattedCount)
            : this(literalLength, formattedCount, new HtmlText())
        {
        }

        public Markup(int literalLength, int formattedCount, HtmlText target)
        {
            target._html.EnsureCapacity(target._html.Length + literalLength + formattedCount);
            Target = target;
        }

        public HtmlText Target { get; }

        public void AppendLiteral(string markup) => Target._html.Append(markup);

        public void AppendFormatted(string? text) => Target.Escape(Printable.Text(text ?? string.Empty));

        public void AppendFormatted(long number) => Target._html.Append(CultureInfo.InvariantCulture, $"{number}");

        /// <summary>Appends a coordinate, to a tenth of a pixel. Zero is added to avoid -0.</summary>
        public void AppendFormatted(double coordinate) => Target._html.Append((Math.Round(coordinate, 1) + 0.0).ToString("0.#", CultureInfo.InvariantCulture));

        public void AppendFormatted(HtmlText? part) => Target._html.Append(part?._html);

        public void AppendFormatted(IEnumerable<HtmlText> parts)
        {
            foreach (HtmlText part in parts)
            {
                AppendFormatted(part);
            }
        }
    }
}
