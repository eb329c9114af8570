using System.Globalization;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>A value for each row of <see cref="ObjectHeader"/>, which is set with the property that the row names.</summary>
internal static class HeaderSamples
{
    public static ObjectHeader[] All => ObjectHeader.All.ToArray();

    public static string GetValue(ObjectHeader header)
        => header == ObjectHeader.Expires ? "Thu, 01 Jan 2032 00:00:00 GMT" : $"text/x-{header.Index}"; // the SDK sends only content types of this form

    public static UploadOptions With(this UploadOptions options, ObjectHeader header)
    {
        UploadOptions changed = options with { };
        object value = header == ObjectHeader.Expires ? DateTimeOffset.ParseExact(GetValue(header), "R", CultureInfo.InvariantCulture) : GetValue(header);
        typeof(UploadOptions).GetProperty(header.Option)!.SetValue(changed, value);
        return changed;
    }
}
