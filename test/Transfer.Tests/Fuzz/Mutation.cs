using System.Text;

namespace Transfer.Tests.Fuzz;

/// <summary>Inputs that are almost what is expected, and some that are nothing of the kind.</summary>
internal static class Mutation
{
    private const int MaxNoise = 64;
    private const int MaxEdits = 5;

    // Where readers of text go wrong: signs, ends of numbers' ranges, digits that are none of ASCII, characters that are none, blanks of every kind.
    private static readonly string[] Awkward =
    [
        "", "0", "-1", "+1", "00", "1e3", "0x10", "1.5", ".", "9223372036854775807", "9223372036854775808", "18446744073709551616", "2147483648",
        " ", "\t", "\r\n", "\n", "\0", "\u00A0", "\u0661", "\uFEFF", "\uFFFF", "\uD800", "\uDC00", "\u0130", "\U0001F600", "\u202E", "\x7F",
        "\"", "'", "<", ">", "&", "%", "%00", "%2F", "%zz", "+", "/", "//", "..", "\\", ":", ";", ",", "=", "-", "*", "#", "?", "~",
    ];

    /// <summary>One of some texts, as it is or with a few edits; now and then noise.</summary>
    /// <param name="random">Where chance comes from.</param>
    /// <param name="valid">What would be read without complaint.</param>
    /// <param name="words">What is put in beside what is awkward everywhere.</param>
    public static string Text(Random random, ReadOnlySpan<string> valid, params ReadOnlySpan<string> words)
    {
        if (random.Next(16) == 0)
        {
            return Noise(random, words);
        }

        StringBuilder text = new(valid[random.Next(valid.Length)]);
        for (int edits = random.Next(MaxEdits); edits > 0; edits--)
        {
            int at = random.Next(text.Length + 1);
            int count = random.Next(Math.Min(text.Length - at, 12) + 1);
            switch (random.Next(6))
            {
                case 0:
                    text.Remove(at, count);
                    break;
                case 1:
                    text.Insert(random.Next(text.Length + 1), text.ToString(at, count));
                    break;
                case 2 when at < text.Length:
                    text[at] = Character(random);
                    break;
                case 3:
                    text.Length = at;
                    break;
                case 4:
                    text.Remove(at, count).Insert(at, Word(random, words));
                    break;
                default:
                    text.Insert(at, Word(random, words));
                    break;
            }
        }

        return text.ToString();
    }

    /// <summary>The same of bytes: of a text's edits, or of the bytes themselves.</summary>
    public static byte[] Bytes(Random random, ReadOnlySpan<string> valid, params ReadOnlySpan<string> words)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(Text(random, valid, words));
        if (bytes.Length > 0)
        {
            for (int edits = random.Next(4) - 1; edits > 0; edits--)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }
        }

        return bytes;
    }

    /// <summary>Bytes without any meaning.</summary>
    public static byte[] NoiseBytes(Random random, int maxLength = MaxNoise)
    {
        byte[] bytes = new byte[random.Next(maxLength + 1)];
        random.NextBytes(bytes);
        return bytes;
    }

    /// <summary>Awkward words and characters in any order.</summary>
    public static string Noise(Random random, params ReadOnlySpan<string> words)
    {
        StringBuilder text = new();
        for (int count = random.Next(MaxNoise); count > 0; count--)
        {
            _ = random.Next(3) == 0 ? text.Append(Word(random, words)) : text.Append(Character(random));
        }

        return text.ToString();
    }

    /// <summary>A number of any size: as many of few digits as of many.</summary>
    public static long Number(Random random) => unchecked((long)((ulong)random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(1, 64)));

    private static string Word(Random random, ReadOnlySpan<string> words)
    {
        int at = random.Next(Awkward.Length + words.Length);
        return at < Awkward.Length ? Awkward[at] : words[at - Awkward.Length];
    }

    private static char Character(Random random) => (char)random.Next(random.Next(4) switch { 0 => 0x10000, 1 => 0x100, _ => 0x80 });
}
