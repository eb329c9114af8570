using System.Text.Unicode;
using System.Xml;
using Transfer.S3.Buffers;

namespace Transfer.S3.Wire.Http;

/// <summary>The bytes of a document that its reader needs at the same time. All of them are valid UTF-8, and no character is divided.</summary>
/// <param name="body">The whole document.</param>
internal sealed class DocumentWindow(Stream body) : IDisposable
{
    /// <summary>The maximum number of bytes of a character that aren't its last one.</summary>
    private const int MostCut = 3;

    private byte[] _bytes = [];
    private byte[]? _rented;
    private int _start;
    private int _valid; // the end of the last whole character
    private int _end;

    /// <summary>Gets the bytes that are available. They are valid until the next call that reads more.</summary>
    public ReadOnlySpan<byte> Rest => new(_bytes, _start, _valid - _start);

    /// <summary>Moves past bytes that are available.</summary>
    public void Skip(int count) => _start += count;

    /// <summary>Returns whether so many bytes are available, and reads more if they aren't.</summary>
    public bool Has(int count)
    {
        while (_valid - _start < count)
        {
            if (!TryRead())
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Gets a byte that is available or can be read.</summary>
    /// <exception cref="XmlException">Thrown when the document ends before it.</exception>
    public byte At(int index)
    {
        if (_start + index >= _valid && !Has(index + 1))
        {
            throw EndedTooEarly();
        }

        return _bytes[_start + index];
    }

    /// <summary>Finds bytes in the rest of the document, and makes all before them available.</summary>
    /// <exception cref="XmlException">Thrown when there are none.</exception>
    public int IndexOf(ReadOnlySpan<byte> wanted, int from = 0)
    {
        while (true)
        {
            if (from < Rest.Length && (wanted.Length == 1 ? Rest[from..].IndexOf(wanted[0]) : Rest[from..].IndexOf(wanted)) is >= 0 and var index)
            {
                return from + index;
            }

            from = Math.Max(from, Rest.Length - wanted.Length + 1);
            if (!TryRead())
            {
                throw EndedTooEarly();
            }
        }
    }

    /// <summary>Reads more.</summary>
    /// <returns>False at the end of the document.</returns>
    /// <exception cref="XmlException">Thrown when the document isn't valid UTF-8.</exception>
    public bool TryRead()
    {
        MakeRoom();
        int read = body.ReadAtLeast(_bytes.AsSpan(_end), _bytes.Length - _end, throwOnEndOfStream: false);
        _end += read;
        ReadOnlySpan<byte> added = _bytes.AsSpan(_valid, _end - _valid);
        int whole = added.Length - (read == 0 ? 0 : LengthOfCut(added));
        if (!Utf8.IsValid(added[..whole]))
        {
            throw new XmlException("The response is not valid UTF-8.");
        }

        _valid += whole;
        return read > 0;
    }

    public void Dispose()
    {
        if (_rented is not null)
        {
            ReceiveBuffers.Documents.Return(_rented);
            (_rented, _bytes, _start, _valid, _end) = (null, [], 0, 0, 0);
        }
    }

    private static XmlException EndedTooEarly() => new("The response ends too early.");

    /// <summary>Gets the length of a character at the end that isn't complete.</summary>
    private static int LengthOfCut(ReadOnlySpan<byte> bytes)
    {
        for (int length = 1; length <= Math.Min(MostCut, bytes.Length); length++)
        {
            byte first = bytes[^length];
            if (first < 0x80)
            {
                return 0;
            }

            if (first >= 0xC0)
            {
                int needed = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
                return needed > length ? length : 0;
            }
        }

        return 0;
    }

    /// <summary>Makes room for at least one byte and a character: in place of what was read, or in an array of twice the length.</summary>
    private void MakeRoom()
    {
        if (_bytes.Length == 0)
        {
            _bytes = ReceiveBuffers.Documents.TryRent(out _rented) ? _rented : GC.AllocateUninitializedArray<byte>(ReceiveBuffers.Documents.Length);
            return;
        }

        ReadOnlySpan<byte> kept = _bytes.AsSpan(_start, _end - _start);
        byte[] bytes = kept.Length <= _bytes.Length / 2 ? _bytes : GC.AllocateUninitializedArray<byte>(2 * _bytes.Length);
        kept.CopyTo(bytes);
        (_valid, _end, _start, _bytes) = (_valid - _start, kept.Length, 0, bytes);
    }
}
