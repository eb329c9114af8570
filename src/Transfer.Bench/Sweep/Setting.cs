using System.Globalization;
using Transfer.S3.Bench.Operations;

namespace Transfer.S3.Bench.Sweep;

/// <summary>A combination of settings to measure.</summary>
/// <param name="PartSizeBytes">The part size; null if the operation has no parts.</param>
/// <param name="Concurrency">The number of concurrent requests; null for auto.</param>
internal sealed record Setting(long? PartSizeBytes, int? Concurrency)
{
    /// <summary>The concurrency that the load is sized for if the engine decides how many requests it sends.</summary>
    private const int AutoTransfer = 64;
    private const int AutoSdk = 10;

    /// <summary>Combines every part size with every concurrency, in the given order.</summary>
    public static IReadOnlyList<Setting> Cross(IReadOnlyList<long?> partSizes, IReadOnlyList<int?> concurrencies)
        => [.. partSizes.Distinct().SelectMany(_ => concurrencies.Distinct(), (size, concurrency) => new Setting(size, concurrency))];

    /// <summary>Gets the number of parts of an object.</summary>
    public long GetPartCount(long? size) => PartSizeBytes is { } part && size is > 0 and { } bytes ? ((bytes - 1) / part) + 1 : 1;

    /// <summary>Gets the number of concurrent objects that it takes to reach the concurrency.</summary>
    public int WorkersFor(long? size, EngineKind engine)
    {
        long requests = Concurrency ?? (engine == EngineKind.Sdk ? AutoSdk : AutoTransfer);
        return (int)Math.Max(1, (requests + GetPartCount(size) - 1) / GetPartCount(size));
    }

    /// <summary>Formats the setting as command-line options.</summary>
    public override string ToString()
    {
        string concurrency = string.Create(CultureInfo.InvariantCulture, $"--concurrency {ConcurrencyText}");
        return PartSizeBytes is { } size ? $"--part-size {ByteSize.FormatExact(size)} {concurrency}" : concurrency;
    }

    public string ConcurrencyText => Concurrency?.ToString(CultureInfo.InvariantCulture) ?? "auto";
}
