using System.Globalization;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>An object of the storm. Its key determines its bytes.</summary>
internal sealed record StormObject(int Number, long Length)
{
    private const long MiB = 1 << 20;

    /// <summary>The part size, threshold, and chunk size of the clients of the storm.</summary>
    private const long Part = 5 * MiB;
    private const long Chunk = 64 << 10;
    private static readonly long[] Boundaries = [0, 1, Chunk, MiB, Part, 2 * Part, 3 * Part];

    public string Key { get; } = string.Create(CultureInfo.InvariantCulture, $"o{Number}-{Length}");

    /// <summary>Gets the position in the pattern at which its bytes start. It is different for each object.</summary>
    public long Start { get; } = Number * 4096L;

    /// <summary>Creates the next object. Most sizes are near a boundary or a few parts, and some are up to 300 MiB.</summary>
    public static StormObject Next(int number, Random random)
    {
        long length = random.Next(100) switch
        {
            < 50 => Math.Max(0, Boundaries[random.Next(Boundaries.Length)] + random.Next(-1, 2)),
            < 80 => random.NextInt64(4 * Part),
            < 98 => random.NextInt64(12 * Part),
            _ => random.NextInt64(300 * MiB),
        };
        return new StormObject(number, length);
    }
}
