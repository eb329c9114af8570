using System.Globalization;
using System.Runtime.InteropServices;

namespace Transfer.S3.Server.Http;

/// <summary>A range of bytes of an object.</summary>
/// <param name="Offset">The first byte.</param>
/// <param name="Count">The number of bytes.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct ByteRange(long Offset, long Count)
{
    private const string Unit = "bytes=";

    public long Last => Offset + Count - 1;

    /// <summary>
    /// Resolves a Range header for an object of the given size. Returns null, for the whole object, if the header is missing, is invalid, or
    /// specifies
    /// several ranges. RFC 9110, section 14.2, allows that.
    /// </summary>
    /// <exception cref="S3Exception">Thrown when the range lies outside the object.</exception>
    public static ByteRange? Resolve(string? header, long size)
    {
        if (header is null || !TryParse(header, out long? first, out long? last))
        {
            return null;
        }

        if (first is null)
        {
            long suffix = Math.Min(last!.Value, size);
            return suffix == 0 ? throw S3Errors.InvalidRange(header, size) : new ByteRange(size - suffix, suffix);
        }

        return first >= size
            ? throw S3Errors.InvalidRange(header, size)
            : new ByteRange(first.Value, Math.Min(last ?? long.MaxValue, size - 1) - first.Value + 1);
    }

    /// <summary>Resolves the range of UploadPartCopy, which must lie entirely within the source.</summary>
    public static ByteRange ResolveExact(string header, long size)
    {
        if (!TryParse(header, out long? first, out long? last) || first is null || last is null)
        {
            throw S3Errors.InvalidArgument(
                "The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the "
                + "first and last bytes to copy",
                "x-amz-copy-source-range",
                header);
        }

        return last >= size
            ? throw S3Errors.InvalidArgument($"Range specified is not valid for source object of size: {size}", "x-amz-copy-source-range", header)
            : new ByteRange(first.Value, last.Value - first.Value + 1);
    }

    /// <summary>Parses <c>bytes=first-last</c>, <c>bytes=first-</c>, or <c>bytes=-count</c>; false for any other form.</summary>
    private static bool TryParse(string header, out long? first, out long? last)
    {
        first = null;
        last = null;
        if (!header.StartsWith(Unit, StringComparison.OrdinalIgnoreCase))
        {
            return false;
        }

        ReadOnlySpan<char> range = header.AsSpan(Unit.Length).Trim();
        int dash = range.IndexOf('-');
        if (dash < 0 || !TryParseOptional(range[..dash], out first) || !TryParseOptional(range[(dash + 1)..], out last))
        {
            return false;
        }

        return (first is not null || last is not null) && !(first > last);
    }

    private static bool TryParseOptional(ReadOnlySpan<char> digits, out long? value)
    {
        value = null;
        if (digits.IsEmpty)
        {
            return true;
        }

        if (!digits.ContainsAnyExceptInRange('0', '9'))
        {
            // A number that exceeds a long is valid. It is larger than any object.
            value = long.TryParse(digits, NumberStyles.None, provider: null, out long parsed) ? parsed : long.MaxValue;
            return true;
        }

        return false;
    }
}
