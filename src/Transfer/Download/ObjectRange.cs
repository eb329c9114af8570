using System.Globalization;

namespace Transfer.S3;

/// <summary>A range of bytes of an object to download.</summary>
/// <remarks>
/// As in HTTP, a range that extends beyond the end of the object is shortened to it; the length of the stream is the actual length. A range that begins at or after
/// the end is an error. An empty object is an exception: a range from byte 0 and a range of the last bytes are valid and empty.
/// </remarks>
/// <example>
/// <code>
/// ObjectRange first = ObjectRange.From(0, 1024);
/// ObjectRange rest = ObjectRange.From(1024);
/// ObjectRange end = ObjectRange.Last(1024);
/// byte[] header = await client.DownloadBytesAsync("bucket", "movie.mkv", new DownloadOptions { Range = first });
/// </code>
/// </example>
public sealed record ObjectRange
{
    /// <summary>A limit that is larger than any object, but small enough that sums don't overflow.</summary>
    private const long MaxOffset = 1L << 62;

    private ObjectRange(long? offset, long? length)
    {
        Offset = offset;
        Length = length;
    }

    /// <summary>Gets the offset of the first byte, from 0; <see langword="null"/> if the range is the last <see cref="Length"/> bytes.</summary>
    public long? Offset { get; }

    /// <summary>Gets the number of bytes; <see langword="null"/> if the range extends to the end of the object.</summary>
    public long? Length { get; }

    /// <summary>Creates a range from its offset and its length.</summary>
    /// <param name="offset">The offset of the first byte. Range: 0 to 2^62.</param>
    /// <param name="length">The number of bytes, 1 or more; <see langword="null"/> for all bytes to the end of the object.</param>
    /// <returns>The range.</returns>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when <paramref name="offset"/> or <paramref name="length"/> is out of range.</exception>
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

    /// <summary>Creates a range of the last bytes of an object. If the object is smaller, the range is the whole object.</summary>
    /// <param name="length">The number of bytes, 1 or more.</param>
    /// <returns>The range.</returns>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when <paramref name="length"/> is less than 1.</exception>
    public static ObjectRange Last(long length)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(length, 1);
        return new ObjectRange(null, length);
    }

    /// <summary>Returns the range as an HTTP range header: <c>bytes=0-99</c>, <c>bytes=100-</c>, or <c>bytes=-100</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture, $"bytes={Offset}-{(Offset is { } offset ? Length is { } length ? Math.Min(offset, long.MaxValue - length) + length - 1 : null : Length)}");

    /// <summary>
    /// Gets the offset and the length of the range in an object of <paramref name="total"/> bytes. The length is 0 or negative if the range begins at or after the
    /// end.
    /// </summary>
    internal (long Offset, long Length) Resolve(long total)
    {
        long offset = Offset ?? Math.Max(0, total - Length!.Value);
        return (offset, Math.Min(Length ?? long.MaxValue, total - offset));
    }
}
