namespace Transfer.S3.Server.Shaping;

/// <summary>The latency and the rates of a server. They can change while it runs. Sending and receiving are limited separately.</summary>
internal sealed class ServerShaping
{
    private readonly TimeProvider _time;
    private readonly LineRate _connection;
    private readonly LineRate _link;
    private readonly Pacer _sending;
    private readonly Pacer _receiving;
    private long _firstByteDelayTicks;

    public ServerShaping(ResolvedOptions options)
    {
        _time = options.Time;
        _connection = new LineRate(options.ConnectionBytesPerSecond);
        _link = new LineRate(options.LinkBytesPerSecond);
        _sending = new Pacer(_link, _time);
        _receiving = new Pacer(_link, _time);
        FirstByteDelay = options.FirstByteDelay;
    }

    public TimeSpan FirstByteDelay
    {
        get => TimeSpan.FromTicks(Volatile.Read(ref _firstByteDelayTicks));
        set => Volatile.Write(ref _firstByteDelayTicks, value.Ticks);
    }

    /// <summary>Gets or sets the maximum rate of each connection, including open ones.</summary>
    public long? ConnectionBytesPerSecond
    {
        get => _connection.BytesPerSecond;
        set => _connection.BytesPerSecond = value;
    }

    /// <summary>Gets or sets the maximum rate of all connections together.</summary>
    public long? LinkBytesPerSecond
    {
        get => _link.BytesPerSecond;
        set => _link.BytesPerSecond = value;
    }

    /// <summary>Creates the rate limits of a new connection.</summary>
    public ConnectionPacing ForConnection() =>
        new(
            new PacedDirection(new Pacer(_connection, _time), _sending, _time),
            new PacedDirection(new Pacer(_connection, _time), _receiving, _time));
}
