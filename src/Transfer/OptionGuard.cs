namespace Transfer;

/// <summary>Validates options. Errors contain the option, its value, and the accepted values.</summary>
internal static class OptionGuard
{
    public static int Number(string name, int value, int min, int max)
        => value >= min && value <= max ? value : throw new ArgumentOutOfRangeException(name, value, $"{name} is {value}; it must be from {min} to {max}.");

    public static long Size(string name, long value, long min, long max)
        => value >= min && value <= max
            ? value
            : throw new ArgumentOutOfRangeException(name, value, $"{name} is {value} bytes; it must be from {Sizes.Text(min)} to {Sizes.Text(max)}.");

    public static TimeSpan Time(string name, TimeSpan value, TimeSpan min, TimeSpan max)
        => value >= min && value <= max ? value : throw new ArgumentOutOfRangeException(name, value, $"{name} is {value}; it must be from {min} to {max}.");

    public static T Choice<T>(string name, T value)
        where T : struct, Enum
        => Enum.IsDefined(value) ? value : throw new ArgumentOutOfRangeException(name, value, $"{name} is {value}; it must be one of {string.Join(", ", Enum.GetNames<T>())}.");

    /// <summary>Validates the bucket and the key of a call.</summary>
    public static void Address(string bucket, string key)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(bucket);
        ArgumentException.ThrowIfNullOrEmpty(key);
    }
}
