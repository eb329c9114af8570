using System.Globalization;

namespace Transfer.S3;

/// <summary>The number of files or objects that a call may delete at most. If there are more, it deletes none.</summary>
public sealed record DeletionLimit
{
    /// <summary>The number of entries from which the default limit applies.</summary>
    private const int DefaultFrom = 100;

    private const double DefaultPercent = 50;

    private DeletionLimit(long? count, double? percent) => (MaxCount, MaxPercent) = (count, percent);

    /// <summary>Gets the number of files or objects; <see langword="null"/> if the limit is a share.</summary>
    public long? MaxCount { get; }

    /// <summary>Gets the share in percent; <see langword="null"/> if the limit is a number or the default.</summary>
    public double? MaxPercent { get; }

    /// <summary>Gets the default: half of the entries if there are 100 or more, and otherwise no limit.</summary>
    public static DeletionLimit Default { get; } = new(null, null);

    /// <summary>Creates a limit of a number of files or objects.</summary>
    /// <param name="count">The number; 0 or more.</param>
    /// <returns>The limit.</returns>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when the number is negative.</exception>
    public static DeletionLimit Count(long count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        return new DeletionLimit(count, null);
    }

    /// <summary>Creates a limit of a share.</summary>
    /// <param name="percent">The share, in percent of the entries that the option which takes the limit counts. Range: 0 to 100.</param>
    /// <returns>The limit.</returns>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when the share is out of range.</exception>
    public static DeletionLimit Percent(double percent)
        => percent is >= 0 and <= 100 ? new DeletionLimit(null, percent)
            : throw new ArgumentOutOfRangeException(nameof(percent), percent, "The share must be from 0 to 100 percent.");

    /// <summary>Returns the limit as it is given to the tool, such as <c>1000</c> or <c>50%</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString()
        => MaxCount is { } count ? count.ToString(CultureInfo.InvariantCulture) : string.Create(CultureInfo.InvariantCulture, $"{MaxPercent ?? DefaultPercent}%");

    /// <summary>Returns the number of files or objects that may be deleted.</summary>
    /// <param name="entries">The number of files or objects of which a share is taken.</param>
    internal long GetMost(long entries)
        => MaxCount ?? (MaxPercent is null && entries < DefaultFrom ? long.MaxValue : (long)Math.Floor(entries * (MaxPercent ?? DefaultPercent) / 100));
}
