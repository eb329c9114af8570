using System.Globalization;

namespace Transfer.Wire.Http;

/// <summary>A second, as signatures write it. Many requests share one.</summary>
internal sealed class SigningTime(DateTimeOffset time)
{
    private readonly long _second = SecondOf(time);

    /// <summary><c>yyyyMMdd'T'HHmmss'Z'</c>, in UTC.</summary>
    public string Text { get; } = time.UtcDateTime.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture);

    /// <summary>The day alone.</summary>
    public ReadOnlySpan<char> Day => Text.AsSpan(0, "yyyyMMdd".Length);

    public bool IsAt(DateTimeOffset other) => SecondOf(other) == _second;

    private static long SecondOf(DateTimeOffset time) => time.UtcTicks / TimeSpan.TicksPerSecond;
}
