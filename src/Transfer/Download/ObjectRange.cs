using System.Globalization;

namespace Transfer;

/// <summary>Bytes of an object that are to be downloaded instead of all of it.</summary>
/// <remarks>
/// As in HTTP, a range that reaches past the object's end stops there, and the stream's length tells how much there was. A range that begins at the end or
/// behind it is an error; of an empty object, a range from byte 0 and the last bytes are its 0 bytes.
/// </remarks>
public sealed record ObjectRange
{
    /// <summary>No object is that large; and sums with it still fit.</summary>
    private const long MaxOffset = 1L << 62;

    private ObjectRange(long? offset, long? length)
    {
        Offset = offset;
        Length = length;
    }

    /// <summary>The first byte, from 0; null where the range is the object's last <see cref="Length"/> bytes.</summary>
    public long? Offset { get; }

    /// <summary>Bytes, 1 or more; null for all from <see cref="Offset"/> on.</summary>
    public long? Length { get; }

    /// <summary>Bytes <c>[offset, offset + length)</c>.</summary>
    /// <param name="offset">The first byte, from 0 to 2^62.</param>
    /// <param name="length">Bytes, 1 or more; null for all that follow.</param>
    /// <returns>The range.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A number is out of its range.</exception>
    public static ObjectRange From(long offset, long? length = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(offset, MaxOffset);
        if (length is { } bytes)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(bytes, 1, nameof(length));
        }

        return new ObjectRange(offset, length);
    }

    /// <summary>The object's last bytes; all of it where it has fewer.</summary>
    /// <param name="length">Bytes, 1 or more.</param>
    /// <returns>The range.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The number is too small.</exception>
    public static ObjectRange Last(long length)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(length, 1);
        return new ObjectRange(null, length);
    }

    /// <summary>The range as HTTP writes it: <c>bytes=0-99</c>, <c>bytes=100-</c>, <c>bytes=-100</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture, $"bytes={Offset}-{(Offset is { } offset ? Length is { } length ? Math.Min(offset, long.MaxValue - length) + length - 1 : null : Length)}");

    /// <summary>Which bytes of an object of <paramref name="total"/> bytes these are; none or fewer where they begin behind its end.</summary>
    internal (long Offset, long Length) Of(long total)
    {
        long offset = Offset ?? Math.Max(0, total - Length!.Value);
        return (offset, Math.Min(Length ?? long.MaxValue, total - offset));
    }
}
