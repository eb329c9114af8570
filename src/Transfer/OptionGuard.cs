using System.Runtime.CompilerServices;

namespace Transfer.S3;

/// <summary>Validates options. Errors contain the option, its value, and the accepted values.</summary>
internal static class OptionGuard
{
    public static int Number(string name, int value, int min, int max)
        => value >= min && value <= max ? value : throw new ArgumentOutOfRangeException(name, value, $"{name} is {value}; it must be from {min} to {max}.");

    public static long Size(string name, long value, long min, long max)
        => value >= min && value <= max
            ? value
            : throw new ArgumentOutOfRangeException(name, value, $"{name} is {value} bytes; it must be from {ByteSize.Format(min)} to {ByteSize.Format(max)}.");

    public static TimeSpan Time(string name, TimeSpan value, TimeSpan min, TimeSpan max)
        => value >= min && value <= max ? value : throw new ArgumentOutOfRangeException(name, value, $"{name} is {value}; it must be from {min} to {max}.");

    public static T Choice<T>(string name, T value)
        where T : struct, Enum
        => Enum.IsDefined(value) ? value : throw new ArgumentOutOfRangeException(name, value, $"{name} is {value}; it must be one of {string.Join(", ", Enum.GetNames<T>())}.");

    /// <summary>Validates the bucket and the key of a call.</summary>
    public static void Address(
        string bucket, string key, [CallerArgumentExpression(nameof(bucket))] string? bucketName = null, [CallerArgumentExpression(nameof(key))] string? keyName = null)
    {
        Bucket(bucket, bucketName);
        ArgumentException.ThrowIfNullOrEmpty(key, keyName);
    }

    /// <summary>Validates the address of an object.</summary>
    public static void Address(S3Uri address, [CallerArgumentExpression(nameof(address))] string? name = null)
        => Address(address.Bucket, address.Key, $"{name}.{nameof(address.Bucket)}", $"{name}.{nameof(address.Key)}");

    /// <summary>
    /// Validates the name of a bucket. A path or a URL is refused here, because a request for it would go to another bucket, or fail without telling why. Ceph has
    /// buckets of other tenants, <c>tenant:bucket</c>, and access points have ARNs, which contain both characters.
    /// </summary>
    public static void Bucket(string bucket, [CallerArgumentExpression(nameof(bucket))] string? name = null)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(bucket, name);
        if (bucket.StartsWith("arn:", StringComparison.Ordinal))
        {
            return;
        }

        int scheme = bucket.IndexOf("://", StringComparison.Ordinal);
        if (scheme >= 0)
        {
            string[] path = bucket[(scheme + 3)..].Split('/', 2);
            throw new ArgumentException(
                bucket.StartsWith("s3://", StringComparison.OrdinalIgnoreCase) && path[0].Length > 0
                    ? $"{name} is '{bucket}'; it must be the name of a bucket. Specify {Split(path)}."
                    : $"{name} is a URL; it must be the name of a bucket. Specify the endpoint in the configuration of the IAmazonS3.",
                name);
        }

        if (bucket.Contains('/', StringComparison.Ordinal))
        {
            string[] path = bucket.Split('/', 2);
            throw new ArgumentException(
                $"{name} is '{bucket}'; it must be the name of a bucket, which has no slashes." + (path[0].Length > 0 ? $" Specify {Split(path)}." : string.Empty),
                name);
        }

        if (bucket.Split(':') is { Length: > 1 } names && (names.Length > 2 || names[1].Length == 0))
        {
            throw new ArgumentException(
                $"{name} is '{bucket}'; it must be the name of a bucket. Only ARNs and buckets of other tenants of Ceph, such as 'tenant:bucket', contain colons.", name);
        }

        static string Split(string[] path)
            => path is [{ } first, { Length: > 0 } rest] ? $"'{first}' as the bucket, and '{rest}' as the key or the prefix" : $"'{path[0]}'";
    }
}
