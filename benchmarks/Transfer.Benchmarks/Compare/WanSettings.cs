namespace Transfer.S3.Benchmarks.Compare;

/// <summary>An emulated wide area link, the same in both directions.</summary>
/// <param name="BytesPerSecond">The rate.</param>
/// <param name="DelayMilliseconds">The delay of a packet in one direction.</param>
/// <param name="QueueBytes">The bytes that wait for the link before it loses packets.</param>
internal sealed record WanSettings(long BytesPerSecond, double DelayMilliseconds, long QueueBytes)
{
    private const int Mbit = 1_000_000 / 8;

    public double LossPercent { get; init; }

    /// <summary>Gets the size of a packet in bytes. Large packets spare the CPU that the emulation shares with the client.</summary>
    public int Mtu { get; init; } = 1500;

    /// <summary>Gets the time at which the link begins to lose all packets, and for how long; null if it never does.</summary>
    public (TimeSpan After, TimeSpan For)? LossOfAll { get; init; }

    /// <summary>Finds the link in front of a server.</summary>
    /// <returns>The link; null if there is none.</returns>
    public static WanSettings? Find(ServerKind kind) => kind switch
    {
        ServerKind.WanHome => new(100 * Mbit, 15, 500_000),
        ServerKind.WanNear => new(1000 * Mbit, 10, 2_500_000) { Mtu = 9000 },
        ServerKind.WanLossy => new(200 * Mbit, 50, 1_250_000) { LossPercent = 0.1 },
        ServerKind.WanLong => new(1000 * Mbit, 20, 5_000_000) { Mtu = 9000 },
        ServerKind.WanSmall => new(200 * Mbit, 30, 1_250_000),
        ServerKind.WanDrop => new(100 * Mbit, 20, 1_000_000) { LossOfAll = (TimeSpan.FromSeconds(8), TimeSpan.FromSeconds(25)) },
        _ => null,
    };
}
