using System.Runtime.InteropServices;
using System.Text;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>
/// Estimates where keys are. A key is read as a fraction: each position is a digit whose base is the number of characters that keys have there, so that equal distances
/// contain about as many keys. Wrong estimates cost requests and change no result.
/// </summary>
/// <param name="prefix">The prefix of all keys.</param>
internal sealed class KeySpace(string prefix)
{
    /// <summary>The smallest digit of a fraction that counts.</summary>
    private const double Least = 1.0 / (1L << 50);

    /// <summary>The share of a distance that a new key can be away from where it should be. A lower precision makes keys shorter.</summary>
    private const double Precision = 1.0 / 64;

    private readonly List<KeyAlphabet> _seen = [];
    private readonly List<int[]?> _alphabets = [];
    private int _varying = int.MaxValue; // the first position with several characters

    /// <summary>Learns the characters of a key.</summary>
    public void Learn(string key)
    {
        int position = 0;
        foreach (Rune rune in key.AsSpan(prefix.Length).EnumerateRunes())
        {
            if (position == _seen.Count)
            {
                _seen.Add(new KeyAlphabet());
                _alphabets.Add(null);
            }

            if (_seen[position].TryAdd(rune.Value))
            {
                CollectionsMarshal.AsSpan(_alphabets).Clear();
                _varying = _seen[position].IsOne ? _varying : Math.Min(_varying, position);
            }

            position++;
        }
    }

    /// <summary>Gets the key that is away from another one by a multiple of the distance between two keys.</summary>
    /// <param name="from">The key to begin at.</param>
    /// <param name="start">The first key of the distance.</param>
    /// <param name="end">The last key of the distance.</param>
    /// <param name="times">The multiple.</param>
    /// <returns>A key after <paramref name="from"/>; null if there is none.</returns>
    public string? Ahead(string from, string start, string end, double times)
    {
        if (!from.StartsWith(prefix, StringComparison.Ordinal) || !start.StartsWith(prefix, StringComparison.Ordinal) || !end.StartsWith(prefix, StringComparison.Ordinal))
        {
            return null;
        }

        (int[] low, int[] first, int[] last) = (GetRunes(from), GetRunes(start), GetRunes(end));
        int level = first.AsSpan().CommonPrefixLength(last);
        double distance = (GetValue(last, level) - GetValue(first, level)) * times;
        double value = GetValue(low, level) + distance;
        if (!(distance > 0 && value < 1 << 20))
        {
            return null;
        }

        List<int> key = [.. low.Take(level)];
        while (key.Count < level && key.Count < _seen.Count)
        {
            key.Add(AlphabetAt(key.Count)[0]);
        }

        return key.Count == level && TryCarry(key, (int)value) && Append(key, value - Math.Floor(value), distance) is { } ahead && KeyOrder.Instance.Compare(ahead, from) > 0 ? ahead : null;
    }

    private int[] GetRunes(string key) => [.. key.AsSpan(prefix.Length).ToString().EnumerateRunes().Select(static rune => rune.Value)];

    /// <summary>Gets the characters of a position. Behind the first one that varies, all have been seen.</summary>
    private int[] AlphabetAt(int position)
        => _alphabets[position] ??= position > _varying ? _seen[position].ToArray() : KeyAlphabet.Expand(CollectionsMarshal.AsSpan(_seen)[position..]);

    /// <summary>Gets the fraction whose digits begin at a position.</summary>
    private double GetValue(int[] key, int level)
    {
        double value = 0;
        double unit = 1;
        for (int i = level; i < key.Length && i < _seen.Count && unit > Least; i++)
        {
            int[] alphabet = AlphabetAt(i);
            int rank = Array.BinarySearch(alphabet, key[i]);
            if (alphabet.Length == 1)
            {
                // All keys have the same character here, so it isn't a digit.
                if (rank != 0)
                {
                    return value + (rank == -1 ? 0 : unit);
                }

                continue;
            }

            unit /= alphabet.Length;
            value += (rank < 0 ? ~rank : rank) * unit;
            if (rank < 0)
            {
                return value;
            }
        }

        return value;
    }

    /// <summary>Adds a number to the digits of a key.</summary>
    /// <returns>False if the result would be beyond the last key.</returns>
    private bool TryCarry(List<int> key, int carry)
    {
        for (int i = key.Count - 1; i >= 0 && carry > 0; i--)
        {
            int[] alphabet = i < _seen.Count ? AlphabetAt(i) : [];
            if (alphabet.Length > 1)
            {
                int rank = Array.BinarySearch(alphabet, key[i]);
                int sum = (rank < 0 ? ~rank : rank) + carry;
                key[i] = alphabet[sum % alphabet.Length];
                carry = sum / alphabet.Length;
            }
        }

        return carry == 0;
    }

    /// <summary>Appends the digits of a fraction.</summary>
    private string Append(List<int> key, double value, double distance)
    {
        double unit = 1;
        for (int i = key.Count; i < _seen.Count && unit > Math.Max(Least, distance * Precision); i++)
        {
            int[] alphabet = AlphabetAt(i);
            if (alphabet.Length == 1)
            {
                key.Add(alphabet[0]);
                continue;
            }

            unit /= alphabet.Length;
            value *= alphabet.Length;
            int digit = Math.Min((int)value, alphabet.Length - 1);
            value -= digit;
            key.Add(alphabet[digit]);
        }

        StringBuilder text = new(prefix);
        foreach (int rune in key)
        {
            text.Append(new Rune(rune).ToString());
        }

        return text.ToString();
    }
}
