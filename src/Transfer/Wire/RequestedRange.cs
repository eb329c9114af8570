using System.Globalization;

namespace Transfer.S3.Wire;

/// <summary>The bytes of an object that a GET request is for.</summary>
/// <param name="Offset">The offset of the first byte; 0 if the range is counted from the end.</param>
/// <param name="Length">The number of bytes; null for the whole object.</param>
/// <param name="IsLast">Whether the range is the last bytes of the object.</param>
internal readonly record struct RequestedRange(long Offset, long? Length, bool IsLast = false)
{
    /// <summary>Gets the known size of the object; null if it isn't known.</summary>
    public long? Total { get; init; }

    /// <summary>Gets the range of the last bytes of an object. If the object is smaller, it is the whole object.</summary>
    public static RequestedRange Last(long length) => new(0, length, IsLast: true);

    /// <summary>Gets the Range header; null for the whole object (RFC 9110, section 14.1.2).</summary>
    public string? Header => Length is not { } length ? null
        : IsLast ? string.Create(CultureInfo.InvariantCulture, $"bytes=-{length}")
        : string.Create(CultureInfo.InvariantCulture, $"bytes={Offset}-{LastByte}");

    /// <summary>Gets the offset of the last byte; null for the whole object and for the last bytes. It is limited to the largest number.</summary>
    public long? LastByte => Length is { } length && !IsLast ? Offset + Math.Min(length - 1, long.MaxValue - Offset) : null;

    /// <summary>Gets the offset of the first byte, and of the byte after the last, in an object of a known size.</summary>
    public (long First, long End) In(long total) => Length is not { } length ? (Offset, total)
        : IsLast ? (Math.Max(0, total - length), total)
        : (Offset, Math.Min(LastByte!.Value, total - 1) + 1);

    /// <summary>Gets the number of bytes that the response has at most, as far as that is known.</summary>
    public long ExpectedBytes => Total is not { } total ? Length ?? 0 : In(total) is var (first, end) && end > first ? end - first : 0;

    public override string ToString() => IsLast ? string.Create(CultureInfo.InvariantCulture, $"the last {Length} bytes")
        : string.Create(CultureInfo.InvariantCulture, $"bytes {Offset}-{LastByte}");
}
