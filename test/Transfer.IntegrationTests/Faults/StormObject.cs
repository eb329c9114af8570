using System.Globalization;

namespace Transfer.IntegrationTests.Faults;

/// <summary>An object of the storm: its key tells what its bytes are to be.</summary>
internal sealed record StormObject(int Number, long Length)
{
    private const long MiB = 1 << 20;

    /// <summary>Part, threshold and chunk of the storm's clients.</summary>
    private const long Part = 5 * MiB;
    private const long Chunk = 64 << 10;
    private static readonly long[] Boundaries = [0, 1, Chunk, MiB, Part, 2 * Part, 3 * Part];

    public string Key { get; } = string.Create(CultureInfo.InvariantCulture, $"o{Number}-{Length}");

    /// <summary>Where its bytes begin in the pattern: no two objects have the same.</summary>
    public long Start { get; } = Number * 4096L;

    /// <summary>Most of them around a boundary or of a few parts, and a few of up to 300 MiB.</summary>
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
