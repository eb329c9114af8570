namespace Transfer.S3.Server.Locks;

/// <summary>The retention of new objects in a bucket.</summary>
/// <param name="Mode">GOVERNANCE or COMPLIANCE.</param>
/// <param name="Days">The number of days; null if years are given.</param>
/// <param name="Years">The number of years; null if days are given.</param>
internal sealed record DefaultRetention(string Mode, int? Days, int? Years)
{
    public DateTimeOffset EndFrom(DateTimeOffset start) => Years is { } years ? start.AddYears(years) : start.AddDays(Days!.Value);
}
