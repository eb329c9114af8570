namespace Transfer.Server.Shaping;

/// <summary>The rates of the whole server, and the maker of those of its connections. Sending and receiving do not share.</summary>
internal sealed class LinkPacing(ResolvedOptions options)
{
    private readonly Pacer? _sending = Create(options.LinkBytesPerSecond, options.Time);
    private readonly Pacer? _receiving = Create(options.LinkBytesPerSecond, options.Time);

    public bool IsActive => options.LinkBytesPerSecond is not null || options.ConnectionBytesPerSecond is not null;

    public ConnectionPacing ForConnection() =>
        new(
            new PacedDirection(Create(options.ConnectionBytesPerSecond, options.Time), _sending, options.Time),
            new PacedDirection(Create(options.ConnectionBytesPerSecond, options.Time), _receiving, options.Time));

    private static Pacer? Create(long? bytesPerSecond, TimeProvider time) => bytesPerSecond is long rate ? new Pacer(rate, time) : null;
}
