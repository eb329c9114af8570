using System.Globalization;

namespace Transfer.S3.Wire.Http;

/// <summary>A time in whole seconds, in the format of signatures. Requests in the same second share one instance.</summary>
internal sealed class SigningTime(DateTimeOffset time)
{
    private readonly long _second = GetSecond(time);

    /// <summary>Gets the time as <c>yyyyMMdd'T'HHmmss'Z'</c>, in UTC.</summary>
    public string Text { get; } = time.UtcDateTime.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture);

    /// <summary>Gets the day.</summary>
    public ReadOnlySpan<char> Day => Text.AsSpan(0, "yyyyMMdd".Length);

    public bool IsAt(DateTimeOffset other) => GetSecond(other) == _second;

    private static long GetSecond(DateTimeOffset time) => time.UtcTicks / TimeSpan.TicksPerSecond;
}
