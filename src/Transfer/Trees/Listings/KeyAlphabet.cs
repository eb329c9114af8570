namespace Transfer.S3.Trees;

/// <summary>The characters that keys have at one position.</summary>
internal sealed class KeyAlphabet
{
    /// <summary>The number of positions behind one that tell which characters it can have.</summary>
    public const int Neighbors = 2;

    /// <summary>The maximum number of characters beyond ASCII to remember. A few are enough to divide what they begin.</summary>
    private const int MaxOthers = 64;

    private static readonly UInt128 Digits = Between('0', '9');
    private static readonly (UInt128 Hex, UInt128 All)[] Letters = [(Between('A', 'F'), Between('A', 'Z')), (Between('a', 'f'), Between('a', 'z'))];
    private static readonly UInt128 Alphanumeric = Digits | Letters[0].All | Letters[1].All;

    private SortedSet<int>? _others;
    private UInt128 _ascii;

    /// <summary>Gets a value that indicates whether all keys have the same character.</summary>
    public bool IsOne => (int)UInt128.PopCount(_ascii) + (_others?.Count ?? 0) == 1;

    /// <returns>Whether the character is new.</returns>
    public bool TryAdd(int rune)
    {
        if (rune >= 128)
        {
            return _others is not { Count: >= MaxOthers } && (_others ??= new SortedSet<int>()).Add(rune);
        }

        UInt128 before = _ascii;
        _ascii |= UInt128.One << rune;
        return _ascii != before;
    }

    /// <summary>
    /// Gets the characters that a position probably has: those that were seen, and others of their kind, because the first pages of a listing contain only
    /// keys that begin alike. A letter that all keys have in common is part of a name.
    /// </summary>
    /// <param name="positions">The position and those behind it.</param>
    /// <returns>The characters, in order.</returns>
    public static int[] Expand(ReadOnlySpan<KeyAlphabet> positions)
    {
        KeyAlphabet seen = positions[0];
        UInt128 ascii = seen._ascii;
        for (int i = 1; i <= Neighbors && i < positions.Length && seen.IsAlphanumeric; i++)
        {
            // The characters of a random name, which its first position shows last.
            KeyAlphabet next = positions[i];
            int kinds = GetKinds(seen._ascii);
            if (!next.IsAlphanumeric || UInt128.PopCount(next._ascii) == 1 || (GetKinds(next._ascii) & kinds) != kinds)
            {
                break;
            }

            ascii |= next._ascii;
        }

        UInt128 common = ascii;
        bool hasDigits = (common & Digits) != 0;
        ascii |= hasDigits ? Digits : 0;
        foreach ((UInt128 hex, UInt128 all) in Letters)
        {
            UInt128 letters = common & all;
            ascii |= letters == 0 || UInt128.PopCount(common) == 1 ? 0 : hasDigits && (letters & ~hex) == 0 ? hex : all;
        }

        return seen.ToArray(ascii);
    }

    /// <summary>Gets the characters that were seen, in order.</summary>
    public int[] ToArray() => ToArray(_ascii);

    private int[] ToArray(UInt128 ascii)
    {
        List<int> alphabet = [];
        for (UInt128 rest = ascii; rest != 0; rest &= rest - 1)
        {
            alphabet.Add((int)UInt128.TrailingZeroCount(rest));
        }

        return [.. alphabet, .. _others ?? []];
    }

    private bool IsAlphanumeric => _others is null && _ascii != 0 && (_ascii & ~Alphanumeric) == 0;

    private static int GetKinds(UInt128 ascii) => ((ascii & Digits) != 0 ? 1 : 0) | ((ascii & Letters[0].All) != 0 ? 2 : 0) | ((ascii & Letters[1].All) != 0 ? 4 : 0);

    private static UInt128 Between(char first, char last) => ((UInt128.One << (last - first + 1)) - 1) << first;
}
