using System.Globalization;

namespace Transfer.Scheduling;

/// <summary>
/// Settings that the process's environment gives where the options leave them open. A value that is wrong is an error that names the variable,
/// what it holds and what it accepts.
/// </summary>
/// <param name="read">Reads a variable.</param>
internal sealed class EnvironmentSettings(Func<string, string?> read)
{
    private readonly List<(string Variable, string Value)> _taken = [];

    /// <summary>What was taken from the environment.</summary>
    public IReadOnlyList<(string Variable, string Value)> Taken => _taken;

    /// <summary>A number; <c>auto</c> leaves it open.</summary>
    /// <exception cref="ArgumentException">It is none, or out of its range.</exception>
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

    /// <summary>A size, such as 8MiB.</summary>
    /// <exception cref="ArgumentException">It is none, or out of its range.</exception>
    public long? Size(string variable, long min, long max)
    {
        if (Read(variable) is not { } text)
        {
            return null;
        }

        return Sizes.TryParse(text, out long value) && value >= min && value <= max
            ? Take(variable, text, value)
            : throw Wrong(variable, text, $"a size from {Sizes.Text(min)} to {Sizes.Text(max)}, such as 8MiB");
    }

    /// <summary>Rate limits, such as 20MiB,up=5MiB; <c>none</c> for no limit.</summary>
    /// <exception cref="ArgumentException">They are none, or out of their range.</exception>
    public RateLimit? RateLimit(string variable, TimeProvider time)
    {
        if (Read(variable) is not { } text)
        {
            return null;
        }

        return RateLimitText.TryParse(text, time, out RateLimit? limit) ? Take(variable, text, limit) : throw Wrong(variable, text, RateLimitText.Accepted);
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
