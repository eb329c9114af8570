using System.Globalization;
using System.Text;

namespace Transfer.Cli.Options;

/// <summary>The validated options of the source object and of the file that it is downloaded to.</summary>
internal sealed class ReadSettings
{
    private const int MaxKeyFileBytes = 100;

    private ReadSettings(CustomerKey? customerKey) => CustomerKey = customerKey;

    public string? VersionId { get; private init; }

    public ObjectRange? Range { get; private init; }

    public bool RequesterPays { get; private init; }

    public bool AlignToStoredParts { get; private init; }

    public bool FlushToDisk { get; private init; }

    public bool KeepTime { get; private init; }

    public CustomerKey? CustomerKey { get; }

    /// <param name="values">The command line and the environment.</param>
    /// <param name="options">The options.</param>
    /// <param name="reads">Whether the source is an object.</param>
    public static ReadSettings Resolve(OptionValues values, ReadOptions options, bool reads)
    {
        // Not read from the environment: a version or a range in a variable would silently change every copy.
        string? versionId = values.Line(options.VersionId)?.Text;
        ObjectRange? range = values.Line(options.Range) is { } given ? OptionValues.Convert<ObjectRange>(given, TryParseRange, "FIRST-LAST, FIRST-, or -COUNT") : null;
        if (!reads && (versionId ?? (object?)range) is not null)
        {
            throw new UsageException($"{options.VersionId.Name} and {options.Range.Name} are for a source in a store, s3://bucket/key");
        }

        return new ReadSettings(values.Find(options.CustomerKeyFile) is { } file ? ReadKey(file) : null)
        {
            VersionId = versionId,
            Range = range,
            RequesterPays = values.IsOn(options.RequesterPays),
            AlignToStoredParts = values.IsOn(options.AlignParts),
            FlushToDisk = values.IsOn(options.FSync),
            KeepTime = values.IsOn(options.KeepTime),
        };
    }

    internal static bool TryParseRange(string text, out ObjectRange range)
    {
        range = null!;
        int dash = text.IndexOf('-', StringComparison.Ordinal);
        if (dash < 0)
        {
            return false;
        }

        ReadOnlySpan<char> first = text.AsSpan(0, dash);
        ReadOnlySpan<char> last = text.AsSpan(dash + 1);
        bool hasFirst = TryNumber(first, out long from);
        bool hasLast = TryNumber(last, out long to);
        if ((!hasFirst && !first.IsEmpty) || (!hasLast && !last.IsEmpty) || (hasFirst && hasLast && to < from))
        {
            return false;
        }

        try
        {
            range = hasFirst ? ObjectRange.From(from, hasLast ? to - from + 1 : null) : ObjectRange.Last(to);
            return true;
        }
        catch (ArgumentOutOfRangeException)
        {
            return false;
        }
    }

    private static bool TryNumber(ReadOnlySpan<char> text, out long value)
        => long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) && value < long.MaxValue;

    private static CustomerKey ReadKey(GivenValue file)
    {
        try
        {
            byte[] bytes = new byte[MaxKeyFileBytes];
            using FileStream stream = File.OpenRead(file.Text);
            int count = stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
            string text = count == CustomerKey.LengthBytes ? Convert.ToBase64String(bytes, 0, count) : Encoding.ASCII.GetString(bytes, 0, count).Trim();
            return CustomerKey.FromBase64(text);
        }
        catch (Exception e) when (e is ArgumentException or IOException or UnauthorizedAccessException)
        {
            throw OptionValues.Wrong(file, $"a file that contains {CustomerKey.LengthBytes} bytes, or their base64{(e is ArgumentException ? string.Empty : $" ({e.Message})")}");
        }
    }
}
