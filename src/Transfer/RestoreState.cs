using System.Globalization;

namespace Transfer.S3;

/// <summary>The state of the restoration of an archived object.</summary>
public sealed record RestoreState
{
    /// <summary>Gets a value that indicates whether the object can't be read yet.</summary>
    public required bool IsInProgress { get; init; }

    /// <summary>Gets the time until which the restored copy can be read; <see langword="null"/> if the store didn't return it.</summary>
    public DateTimeOffset? Until { get; init; }

    private const string ExpiryDate = "expiry-date=\"";

    /// <summary>Gets the state of a restoration; null if there is none, which some stores tell with values and others without.</summary>
    internal static RestoreState? From(bool isInProgress, DateTimeOffset? until) => isInProgress || until is not null ? new RestoreState { IsInProgress = isInProgress, Until = until } : null;

    /// <summary>Reads a header such as <c>ongoing-request="false", expiry-date="Fri, 21 Dec 2012 00:00:00 GMT"</c> (Amazon S3 API Reference, "HeadObject").</summary>
    internal static RestoreState? Parse(string? header)
    {
        if (string.IsNullOrEmpty(header))
        {
            return null;
        }

        int start = header.IndexOf(ExpiryDate, StringComparison.OrdinalIgnoreCase) + ExpiryDate.Length;
        int end = start < ExpiryDate.Length ? -1 : header.IndexOf('"', start);
        bool hasTime = DateTimeOffset.TryParse(end < 0 ? null : header.AsSpan(start, end - start), CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset until);
        return new RestoreState { IsInProgress = header.Contains("ongoing-request=\"true\"", StringComparison.OrdinalIgnoreCase), Until = hasTime ? until : null };
    }
}
