using System.Text;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>Creates inputs that are almost valid, and some that are pure noise.</summary>
internal static class Mutation
{
    private const int MaxNoise = 64;
    private const int MaxEdits = 5;

    // Typical problems of parsers: signs, limits of number ranges, non-ASCII digits, noncharacters, and all kinds of white space.
    private static readonly string[] Awkward =
    [
        "", "0", "-1", "+1", "00", "1e3", "0x10", "1.5", ".", "9223372036854775807", "9223372036854775808", "18446744073709551616", "2147483648",
        " ", "\t", "\r\n", "\n", "\0", "\u00A0", "\u0661", "\uFEFF", "\uFFFF", "\uD800", "\uDC00", "\u0130", "\U0001F600", "\u202E", "\x7F",
        "\"", "'", "<", ">", "&", "%", "%00", "%2F", "%zz", "+", "/", "//", "..", "\\", ":", ";", ",", "=", "-", "*", "#", "?", "~",
    ];

    /// <summary>Returns one of the valid texts, unchanged or with a few edits, and sometimes noise.</summary>
    /// <param name="random">The source of random numbers.</param>
    /// <param name="valid">Texts that are accepted.</param>
    /// <param name="words">Words to insert, in addition to generally problematic ones.</param>
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

    /// <summary>Returns bytes of an edited text, or edited bytes.</summary>
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

    /// <summary>Returns random bytes.</summary>
    public static byte[] NoiseBytes(Random random, int maxLength = MaxNoise)
    {
        byte[] bytes = new byte[random.Next(maxLength + 1)];
        random.NextBytes(bytes);
        return bytes;
    }

    /// <summary>Returns problematic words and characters in random order.</summary>
    public static string Noise(Random random, params ReadOnlySpan<string> words)
    {
        StringBuilder text = new();
        for (int count = random.Next(MaxNoise); count > 0; count--)
        {
            _ = random.Next(3) == 0 ? text.Append(Word(random, words)) : text.Append(Character(random));
        }

        return text.ToString();
    }

    /// <summary>Returns a number of any magnitude. Small magnitudes are as frequent as large ones.</summary>
    public static long Number(Random random) => unchecked((long)((ulong)random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(1, 64)));

    private static string Word(Random random, ReadOnlySpan<string> words)
    {
        int at = random.Next(Awkward.Length + words.Length);
        return at < Awkward.Length ? Awkward[at] : words[at - Awkward.Length];
    }

    private static char Character(Random random) => (char)random.Next(random.Next(4) switch { 0 => 0x10000, 1 => 0x100, _ => 0x80 });
}
