using System.Globalization;
using System.Text;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Options;

/// <summary>
/// The options of the source object and of the file that it is downloaded to. An option is read and validated when it is asked for, so that only options that a
/// command uses count as used.
/// </summary>
/// <param name="values">The command line and the environment.</param>
/// <param name="options">The options.</param>
internal sealed class ReadSettings(OptionValues values, ReadOptions options)
{
    private const int MaxKeyFileBytes = 100;
    private const string AcceptedRange = "FIRST-LAST, FIRST-, or -COUNT";

    /// <summary>Gets the version. It isn't read from the environment: a version or a range in a variable would silently change every copy.</summary>
    public string? VersionId => values.Line(options.VersionId)?.Text;

    /// <summary>Gets the time whose objects are read, from the command line only, for the same reason; null for now.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="keys">The options of a list of keys; null if the command has none.</param>
    public DateTimeOffset? AsOf(DateTimeOffset now, KeyListOptions? keys = null)
    {
        if (SelectionOptions.Time(values, options.AsOf, now) is not { } time)
        {
            return null;
        }

        if (values.IsOnLine(options.VersionId))
        {
            throw new UsageException($"{options.AsOf.Name} finds the versions itself; omit {options.VersionId.Name}");
        }

        if (keys is not null && values.IsOnLine(keys.From))
        {
            throw new UsageException($"{options.AsOf.Name} finds the objects of that time by a listing; omit {keys.From.Name}");
        }

        return time <= now ? time : throw OptionValues.Wrong(values.Line(options.AsOf)!, "a time that has passed");
    }

    public ObjectRange? Range => values.Line(options.Range) is { } given ? OptionValues.Convert<ObjectRange>(given, TryParseRange, AcceptedRange) : null;

    public bool RequesterPays => values.IsOn(options.RequesterPays);

    public bool AlignToStoredParts => values.IsOn(options.AlignParts);

    public bool FlushToDisk => values.IsOn(options.FSync);

    public bool KeepTime => values.IsOn(options.KeepTime);

    /// <summary>Gets the attributes of files that an upload stores, or a download restores.</summary>
    public KeptAttributes Kept
    {
        get
        {
            KeptAttributes kept = values.Read<KeptAttributes>(options.Attributes, KeptAttributes.TryParse, KeptAttributes.Accepted) ?? default;
            return KeepTime ? kept with { LastModified = true } : kept;
        }
    }

    public ArchivedObjects Archived => values.Choice<ArchivedObjects>(options.Archived) ?? ArchivedObjects.Fail;

    public int? RestoreDays => values.Read<int>(options.RestoreDays, TryParseDays, string.Create(CultureInfo.InvariantCulture, $"1 to {RestoreOptions.MaxDays}"));

    public CustomerKey? CustomerKey => values.Find(options.CustomerKeyFile) is { } file ? ReadKey(file) : null;

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

    private static bool TryParseDays(string text, out int days) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out days) && days is >= 1 and <= RestoreOptions.MaxDays;

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
            throw OptionValues.Wrong(file, $"a file that contains {CustomerKey.LengthBytes} bytes, or their base64{(e is ArgumentException ? string.Empty : $" ({FileError.GetReason(e)})")}");
        }
    }
}
