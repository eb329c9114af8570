using System.Globalization;

namespace Transfer.S3.Requests;

/// <summary>
/// Reads the settings that the options don't specify from environment variables. The error for an invalid value contains the variable, its value, and the
/// accepted values.
/// </summary>
/// <param name="read">Reads a variable.</param>
internal sealed class EnvironmentSettings(Func<string, string?> read)
{
    private readonly List<(string Variable, string Value)> _taken = [];

    /// <summary>Gets the variables that were used, and their values.</summary>
    public IReadOnlyList<(string Variable, string Value)> Taken => _taken;

    /// <summary>Reads a number; null for <c>auto</c>, or if there is none.</summary>
    /// <exception cref="ArgumentException">Thrown when the value isn't a number, or is out of range.</exception>
    public int? Number(string variable, int min, int max)
    {
        if (Read(variable) is not { } text || text.Equals("auto", StringComparison.OrdinalIgnoreCase))
        {
            return null;
        }

        return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value >= min && value <= max
            ? Take(variable, text, value)
            : throw Wrong(variable, text, string.Create(CultureInfo.InvariantCulture, $"auto, or a number from {min} to {max}"));
    }

    /// <summary>Reads a size, such as 8MiB.</summary>
    /// <exception cref="ArgumentException">Thrown when the value isn't a size, or is out of range.</exception>
    public long? Size(string variable, long min, long max)
    {
        if (Read(variable) is not { } text)
        {
            return null;
        }

        return ByteSize.TryParse(text, out long value) && value >= min && value <= max
            ? Take(variable, text, value)
            : throw Wrong(variable, text, $"a size from {ByteSize.Format(min)} to {ByteSize.Format(max)}, such as 8MiB");
    }

    /// <summary>Reads rate limits, such as 20MiB,up=5MiB; <c>none</c> for no limit.</summary>
    /// <exception cref="ArgumentException">Thrown when the value isn't a rate limit, or is out of range.</exception>
    public RateLimit? RateLimit(string variable, TimeProvider time)
    {
        if (Read(variable) is not { } text)
        {
            return null;
        }

        return S3.RateLimit.TryParse(text, time, out RateLimit? limit) ? Take(variable, text, limit) : throw Wrong(variable, text, S3.RateLimit.Accepted);
    }

    private string? Read(string variable) => read(variable)?.Trim() is { Length: > 0 } text ? text : null;

    private T Take<T>(string variable, string text, T value)
    {
        _taken.Add((variable, text));
        return value;
    }

    private static ArgumentException Wrong(string variable, string text, string accepted)
        => new($"The environment variable {variable} is '{text}'; it must be {accepted}.");
}
