using System.Globalization;
using Transfer.Cli.Bench.Operations;
using Transfer.Cli.Options;

namespace Transfer.Cli.Bench.Sweep;

/// <summary>One point of a sweep.</summary>
/// <param name="PartSizeBytes">Bytes of a request; null where the operation has no parts.</param>
/// <param name="Concurrency">Requests at once; null for auto.</param>
internal sealed record Setting(long? PartSizeBytes, int? Concurrency)
{
    /// <summary>How many requests are offered if the engine decides how many it sends, of this library and of TransferUtility.</summary>
    private const int AutoTransfer = 64;
    private const int AutoSdk = 10;

    /// <summary>Every part size with every concurrency, in the order in which they were given.</summary>
    public static IReadOnlyList<Setting> Cross(IReadOnlyList<long?> partSizes, IReadOnlyList<int?> concurrencies)
        => [.. partSizes.Distinct().SelectMany(_ => concurrencies.Distinct(), (size, concurrency) => new Setting(size, concurrency))];

    /// <summary>Parts of an object.</summary>
    public long PartsOf(long? size) => PartSizeBytes is { } part && size is > 0 and { } bytes ? ((bytes - 1) / part) + 1 : 1;

    /// <summary>Objects under way at once: as many as it takes to have that many requests at once.</summary>
    public int WorkersFor(long? size, EngineKind engine)
    {
        long requests = Concurrency ?? (engine == EngineKind.Sdk ? AutoSdk : AutoTransfer);
        return (int)Math.Max(1, (requests + PartsOf(size) - 1) / PartsOf(size));
    }

    /// <summary>As it can be pasted.</summary>
    public override string ToString()
    {
        string concurrency = string.Create(CultureInfo.InvariantCulture, $"--concurrency {ConcurrencyText}");
        return PartSizeBytes is { } size ? $"--part-size {SizeText.Exact(size)} {concurrency}" : concurrency;
    }

    public string ConcurrencyText => Concurrency?.ToString(CultureInfo.InvariantCulture) ?? "auto";
}
