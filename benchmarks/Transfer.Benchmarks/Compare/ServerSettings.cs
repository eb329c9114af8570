using Transfer.S3.Server;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The settings of a server of one kind: an embedded one, or a cheap one with limits, which uses only the shaping.</summary>
internal sealed record ServerSettings
{
    private const long MiB = 1024 * 1024;
    private const double SlowShare = 0.01;

    // With this seed, 106 of the first 10,000 requests are slow. With fewer than 101, the 99th percentile would be a request that isn't slow.
    private const int SlowSeed = 6;

    private static readonly Shaping Link = new(TimeSpan.FromMilliseconds(40), 40 * MiB, 800 * MiB);
    private static readonly Shaping Near = new(TimeSpan.FromMilliseconds(20));

    /// <summary>Gets a value that indicates whether uploads are discarded. Reads then return zeros.</summary>
    public bool Discards { get; private init; }

    public bool HasTls { get; private init; }

    public Shaping Shaping { get; private init; } = Shaping.None;

    /// <summary>Gets the changes of the shaping during each measurement, in order.</summary>
    public IReadOnlyList<ShapingChange> Changes { get; private init; } = [];

    /// <summary>Gets the number of requests in flight beyond which the server responds 503; null for no limit.</summary>
    public int? MaxRequests { get; private init; }

    public FaultPlan? Faults { get; private init; }

    public static ServerSettings Find(ServerKind kind) => kind switch
    {
        ServerKind.Embedded => new(),
        ServerKind.Tls => new() { HasTls = true },
        ServerKind.Slow => new() { Shaping = new(TimeSpan.FromMilliseconds(30)) },
        ServerKind.Discarding => new() { Discards = true },
        ServerKind.DiscardingTls => new() { Discards = true, HasTls = true },
        ServerKind.DiscardingSlow => new() { Discards = true, Shaping = Near },
        ServerKind.Remote => new() { Shaping = Near with { ConnectionBytesPerSecond = 50 * MiB } },
        ServerKind.Link => new() { Shaping = Link },
        ServerKind.DiscardingLink => new() { Discards = true, Shaping = Link },
        ServerKind.HalvingLink => new()
        {
            Discards = true,
            Shaping = Link,
            Changes =
            [
                new(TimeSpan.FromSeconds(4), Link with { LinkBytesPerSecond = Link.LinkBytesPerSecond / 2 }),
                new(TimeSpan.FromSeconds(14), Link),
            ],
        },
        ServerKind.Throttling => new() { Shaping = Link with { LinkBytesPerSecond = null }, MaxRequests = 40 },
        ServerKind.SlowLink => new() { Discards = true, Shaping = Near with { LinkBytesPerSecond = 32 * MiB } },
        ServerKind.NarrowLink => new() { Shaping = Near with { LinkBytesPerSecond = 50 * MiB } },
        ServerKind.ManyConnections => RejectingAtRandom(0),
        ServerKind.NarrowConnections => new() { Discards = true, Shaping = Link with { ConnectionBytesPerSecond = MiB, LinkBytesPerSecond = null } },
        ServerKind.RejectingFew => RejectingAtRandom(0.002),
        ServerKind.Rejecting => RejectingAtRandom(0.01),
        ServerKind.SlowRequests => new()
        {
            Shaping = Near,
            Faults = new FaultPlan { Probabilities = new Dictionary<ServerFault, double> { [ServerFault.SlowHeaders] = SlowShare }, Seed = SlowSeed },
        },
        ServerKind.SlowConnections => new()
        {
            Shaping = Link,
            Faults = new FaultPlan { Probabilities = new Dictionary<ServerFault, double> { [ServerFault.SlowDrip] = 2 * SlowShare } },
        },
        ServerKind.AllSlow => new() { Shaping = Near, Changes = [new(TimeSpan.FromSeconds(4), TenTimesSlower(Near))] },
        ServerKind.AllSlowLink => new() { Discards = true, Shaping = Link, Changes = [new(TimeSpan.FromSeconds(2), TenTimesSlower(Link))] },
        ServerKind.PeerLink => new() { Shaping = Link },
        ServerKind.PeerNear => new() { Shaping = Near },
        ServerKind.PeerNarrow => new() { Shaping = Near with { ConnectionBytesPerSecond = 20 * MiB } },
        >= ServerKind.Peer => new(),
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "No such settings."),
    };

    private static ServerSettings RejectingAtRandom(double share) => new()
    {
        Discards = true,
        Shaping = Link with { ConnectionBytesPerSecond = 4 * MiB, LinkBytesPerSecond = null },
        Faults = new FaultPlan { Probabilities = new Dictionary<ServerFault, double> { [ServerFault.SlowDown] = share } },
    };

    private static Shaping TenTimesSlower(Shaping shaping)
        => shaping with { FirstByteDelay = shaping.FirstByteDelay * 10, ConnectionBytesPerSecond = shaping.ConnectionBytesPerSecond / 10 };
}
