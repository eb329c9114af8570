using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Transfer.S3.Concurrency;
using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>The instruments of one meter. All clients that report to the meter share them.</summary>
/// <remarks>
/// The gauges are sums over the clients. Clients are held by weak references, so that a client that isn't disposed can be collected. Names follow
/// OpenTelemetry's general and AWS conventions (Semantic Conventions, "General metrics" and "AWS S3").
/// </remarks>
internal sealed class TransferMeter
{
    private const string Direction = "transfer.s3.direction";
    private const string Outcome = "transfer.s3.outcome";
    private const string Operation = "rpc.method";
    private const string StatusClass = "transfer.s3.status_class";
    private const string ErrorType = "error.type";
    private const string Cause = "transfer.s3.retry.cause";
    private const string LimitedBy = "transfer.s3.bottleneck";

    private static readonly string[] Directions = [.. Enum.GetNames<TransferDirection>().Select(static name => name.ToLowerInvariant())];
    private static readonly string[] Bottlenecks = [.. Enum.GetNames<Bottleneck>().Select(ToSnakeCase)];
    private static readonly ConditionalWeakTable<Meter, TransferMeter> Meters = [];
    private static readonly MeterOptions Options = new(TransferClient.MeterName) { Version = typeof(TransferMeter).Assembly.GetName().Version?.ToString(3) };
    private static readonly Meter Shared = new(Options);

    /// <summary>The boundaries of OpenTelemetry's HTTP histograms, and some for large bodies.</summary>
    private static readonly InstrumentAdvice<double> Seconds = new()
    {
        HistogramBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60],
    };

    private readonly Lock _gate = new();
    private readonly List<WeakReference<ClientGauges>> _clients = [];
    private readonly Counter<long> _bytes;
    private readonly Counter<long> _objects;
    private readonly Counter<double> _bottleneckTime;
    private readonly Counter<long> _requests;
    private readonly Counter<long> _retries;
    private readonly Counter<long> _hedges;
    private readonly Histogram<double> _duration;
    private readonly Histogram<double> _firstByte;

    private TransferMeter(Meter meter)
    {
        _bytes = meter.CreateCounter<long>("transfer.s3.bytes", "By", "Bytes of objects that requests transferred, including those that were sent again.");
        _objects = meter.CreateCounter<long>("transfer.s3.objects", "{object}", "Transfers of objects that have ended.");
        _bottleneckTime = meter.CreateCounter<double>("transfer.s3.bottleneck.time", "s", "The duration of transfers, by the factor that limited their speed.");
        _requests = meter.CreateCounter<long>("transfer.s3.requests", "{request}", "Requests that have ended. Each attempt counts.");
        _retries = meter.CreateCounter<long>("transfer.s3.retries", "{retry}", "Requests that were sent again after a failure.");
        _hedges = meter.CreateCounter<long>("transfer.s3.hedges", "{request}", "Requests that were sent again because the first one was slow.");
        _duration = meter.CreateHistogram("transfer.s3.request.duration", "s", "The time from the start of a request to the end of its response.", advice: Seconds);
        _firstByte = meter.CreateHistogram("transfer.s3.request.time_to_first_byte", "s", "The time from the start of a request to the headers of its response.", advice: Seconds);
        meter.CreateObservableUpDownCounter("transfer.s3.slots.usage", () => OfDirections(static state => state.InFlight), "{request}", "Requests in flight.");
        meter.CreateObservableUpDownCounter(
            "transfer.s3.slots.limit", () => OfDirections(static state => state.Limit), "{request}", "The maximum number of requests in flight, as configured or as chosen by the client.");
        meter.CreateObservableUpDownCounter("transfer.s3.memory.usage", () => Sum(static client => client.Memory.ReservedBytes), "By", "Buffer memory that is reserved.");
        meter.CreateObservableUpDownCounter("transfer.s3.memory.limit", () => Sum(static client => client.Memory.CapacityBytes), "By", "Buffer memory that can be reserved.");
        meter.CreateObservableUpDownCounter("transfer.s3.memory.waiters", () => Sum(static client => client.Memory.Waiters), "{waiter}", "Parts and streams that wait for buffer memory.");
    }

    /// <summary>Gets a value that indicates whether any instrument of requests has a listener.</summary>
    public bool MeasuresRequests => _requests.Enabled || _bytes.Enabled || _duration.Enabled || _firstByte.Enabled;

    /// <summary>Gets the instruments of a factory's meter, or of the one that all clients without a factory share.</summary>
    public static TransferMeter For(IMeterFactory? factory) => Meters.GetValue(factory?.Create(Options) ?? Shared, static meter => new TransferMeter(meter));

    /// <summary>Adds a client to the gauges.</summary>
    public void Add(ClientGauges client)
    {
        lock (_gate)
        {
            _clients.RemoveAll(static reference => !reference.TryGetTarget(out _));
            _clients.Add(new WeakReference<ClientGauges>(client));
        }
    }

    /// <summary>Removes a client from the gauges.</summary>
    public void Remove(ClientGauges client)
    {
        lock (_gate)
        {
            _clients.RemoveAll(reference => !reference.TryGetTarget(out ClientGauges? other) || other == client);
        }
    }

    /// <summary>Counts an attempt of a request that has ended.</summary>
    public void AddRequest(in RequestTiming timing)
    {
        TagList tags = new() { { Operation, timing.Kind.ToString() } };
        if (timing.Bytes > 0)
        {
            _bytes.Add(timing.Bytes, new KeyValuePair<string, object?>(Direction, Directions[(int)GetDirection(timing.Kind)]));
        }

        if (GetStatusClass(timing.Error) is { } status)
        {
            tags.Add(StatusClass, status);
        }

        if (timing.Error is { } error && GetErrorType(error) is { } type)
        {
            tags.Add(ErrorType, type);
        }

        _requests.Add(1, tags);
        _duration.Record(timing.Duration.TotalSeconds, tags);
        _firstByte.Record(timing.FirstByte.TotalSeconds, tags);
    }

    /// <summary>Counts a retry of a request.</summary>
    public void AddRetry(WireException failure)
    {
        if (_retries.Enabled)
        {
            _retries.Add(1, new KeyValuePair<string, object?>(Cause, GetCause(failure)));
        }
    }

    /// <summary>Counts a request that is sent again because it was slow.</summary>
    public void AddHedge(TransferDirection direction) => _hedges.Add(1, new KeyValuePair<string, object?>(Direction, Directions[(int)direction]));

    /// <summary>Counts the transfer of an object that has ended.</summary>
    public void AddObject(TransferDirection direction, Exception? error)
    {
        if (_objects.Enabled)
        {
            _objects.Add(1, new(Direction, Directions[(int)direction]), new(Outcome, GetOutcome(error)));
        }
    }

    /// <summary>Counts the duration of a transfer by the factor that limited its speed. The objects of a directory don't count separately.</summary>
    public void AddBottleneck(TransferReporter transfer, TransferDirection direction)
    {
        if (_bottleneckTime.Enabled)
        {
            TransferTimes times = transfer.Bottleneck.GetTimes();
            _bottleneckTime.Add((transfer.Times.Elapsed - times.Paused).TotalSeconds, new(Direction, Directions[(int)direction]), new(LimitedBy, Bottlenecks[(int)times.Bottleneck]));
        }
    }

    /// <summary>Gets the name of a bottleneck in attributes.</summary>
    public static string GetName(Bottleneck bottleneck) => Bottlenecks[(int)bottleneck];

    /// <summary>Gets the class of a response's status: a success has the class 2xx. There is none without a response.</summary>
    public static string? GetStatusClass(Exception? error) => error switch
    {
        null => "2xx",
        WireException { StatusCode: { } status } => ((int)status / 100) switch
        {
            1 => "1xx",
            2 => "2xx",
            3 => "3xx",
            4 => "4xx",
            _ => "5xx",
        },
        _ => null,
    };

    /// <summary>
    /// Gets the type of an error in attributes. As <c>error.type</c> requires, there are only a few values. It is null if the object hasn't changed since the time that the
    /// request names, which is no failure.
    /// </summary>
    public static string? GetErrorType(Exception error) => error switch
    {
        WireException { Kind: FailureKind.NotModified } => null,
        WireException { StatusCode: { } status } => ((int)status).ToString(System.Globalization.CultureInfo.InvariantCulture),
        WireException failure => GetCause(failure),
        OperationCanceledException => "canceled",
        TransferException { Error: not TransferError.Other } failure => failure.Error.ToString(),
        _ => error.GetType().FullName!,
    };

    private static string GetOutcome(Exception? error) => error switch
    {
        null => "completed",
        OperationCanceledException => "canceled",
        _ => "failed",
    };

    private static string GetCause(WireException failure) => failure switch
    {
        { IsThrottling: true } => "throttled",
        { Kind: FailureKind.Corrupt } => "corrupt",
        { Kind: FailureKind.RangeIgnored } => "range_ignored",
        { Kind: FailureKind.Interrupted } => "paused",
        { StatusCode: not null } => "server_error",
        { InnerException: OperationCanceledException or TimeoutException } => "timeout",
        _ => "connection",
    };

    private static TransferDirection GetDirection(RequestKind kind) => kind switch
    {
        RequestKind.PutObject or RequestKind.UploadPart => TransferDirection.Upload,
        _ => TransferDirection.Download, // copies transfer no data to this machine
    };

    private static string ToSnakeCase(string name) => string.Concat(name.Select(static (letter, index) => char.IsUpper(letter) && index > 0 ? $"_{char.ToLowerInvariant(letter)}" : $"{char.ToLowerInvariant(letter)}"));

    private Measurement<long>[] OfDirections(Func<ConcurrencyState, long> value) =>
    [
        new(Sum(client => value(client.Queue.GetState(RequestDirection.Download).Concurrency)), new KeyValuePair<string, object?>(Direction, Directions[(int)TransferDirection.Download])),
        new(Sum(client => value(client.Queue.GetState(RequestDirection.Upload).Concurrency)), new KeyValuePair<string, object?>(Direction, Directions[(int)TransferDirection.Upload])),
    ];

    private long Sum(Func<ClientGauges, long> value)
    {
        List<ClientGauges> clients = [];
        lock (_gate)
        {
            foreach (WeakReference<ClientGauges> reference in _clients)
            {
                if (reference.TryGetTarget(out ClientGauges? client))
                {
                    clients.Add(client);
                }
            }
        }

        return clients.Sum(value);
    }
}
