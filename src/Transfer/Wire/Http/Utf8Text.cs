using System.Text;

namespace Transfer.S3.Wire.Http;

/// <summary>Builds a text in UTF-8, in memory of the caller or, if that is too small, in its own.</summary>
internal ref struct Utf8Text(Span<byte> memory)
{
    private Span<byte> _memory = memory;

    public int Length { get; private set; }

    public readonly ReadOnlySpan<byte> Written => _memory[..Length];

    public void Clear() => Length = 0;

    [System.Diagnostics.CodeAnalysis.UnscopedRef]
    public ref Utf8Text Add(char ascii)
    {
        Reserve(1);
        _memory[Length++] = (byte)ascii;
        return ref this;
    }

    [System.Diagnostics.CodeAnalysis.UnscopedRef]
    public ref Utf8Text Add(scoped ReadOnlySpan<char> text)
    {
        int count;
        while (!Encoding.UTF8.TryGetBytes(text, _memory[Length..], out count))
        {
            Reserve(Encoding.UTF8.GetByteCount(text));
        }

        Length += count;
        return ref this;
    }

    [System.Diagnostics.CodeAnalysis.UnscopedRef]
    public ref Utf8Text Add(scoped ReadOnlySpan<byte> bytes)
    {
        Reserve(bytes.Length);
        bytes.CopyTo(_memory[Length..]);
        Length += bytes.Length;
        return ref this;
    }

    /// <summary>Adds the value of a header in the form for signatures: without spaces at its ends, and with one space instead of several.</summary>
    [System.Diagnostics.CodeAnalysis.UnscopedRef]
    public ref Utf8Text AddJoiningSpaces(scoped ReadOnlySpan<char> text)
    {
        text = text.Trim();
        for (int spaces = text.IndexOf("  ", StringComparison.Ordinal); spaces >= 0; spaces = text.IndexOf("  ", StringComparison.Ordinal))
        {
            Add(text[..(spaces + 1)]);
            text = text[spaces..].TrimStart(' ');
        }

        return ref Add(text);
    }

    public override readonly string ToString() => Encoding.UTF8.GetString(Written);

    private void Reserve(int count)
    {
        if (_memory.Length - Length < count)
        {
            byte[] larger = new byte[Math.Max(2 * _memory.Length, Length + count)];
            Written.CopyTo(larger);
            _memory = larger;
        }
    }
}
