namespace Transfer.S3.Bench.Measuring;

/// <summary>Measures one run, from any number of threads. Nothing is counted after the meter has been stopped.</summary>
internal sealed class RunMeter(TimeProvider time, IProcessProbe process)
{
    private static readonly int Kinds = Enum.GetValues<RequestKind>().Length;
    private readonly KindMeter?[] _kinds = new KindMeter?[Kinds];
    private readonly RateHistory _history = new();
    private readonly Lock _gate = new();
    private readonly long _started = time.GetTimestamp();
    private readonly TimeSpan _cpuBefore = process.CpuTime;
    private RunMeasurement? _result;
    private long _bytes;
    private long _objects;
    private long _requests;
    private long _retries;
    private long _errors;
    private long _peakMemory = process.MemoryBytes;

    public TimeSpan Elapsed => time.GetElapsedTime(_started);

    public long Bytes => Interlocked.Read(ref _bytes);

    public long Objects => Interlocked.Read(ref _objects);

    public long Requests => Interlocked.Read(ref _requests);

    /// <summary>Gets the first error of an object.</summary>
    public Exception? FirstError { get; private set; }

    /// <summary>Counts a request that has ended. Percentiles don't include failed ones.</summary>
    public void Observe(RequestTiming timing)
    {
        if (IsStopped || timing.Error is OperationCanceledException)
        {
            return;
        }

        Interlocked.Increment(ref _requests);
        if (timing.Error is null)
        {
            TimeSpan late = ScheduleDelay.Value;
            KindMeter kind = Volatile.Read(ref _kinds[(int)timing.Kind]) ?? NewKind(timing.Kind);
            kind.FirstByte.Record(timing.FirstByte + late);
            kind.Duration.Record(timing.Duration + late);
        }
    }

    public void AddBytes(long bytes) => Add(ref _bytes, bytes);

    public void AddObject() => Add(ref _objects, 1);

    public void AddRetries(long retries) => Add(ref _retries, retries);

    public void AddError(Exception error)
    {
        Add(ref _errors, 1);
        lock (_gate)
        {
            FirstError ??= error;
        }
    }

    /// <summary>Samples the values that change over time. For one caller at a time.</summary>
    public void Sample()
    {
        lock (_gate)
        {
            if (_result is null)
            {
                _peakMemory = Math.Max(_peakMemory, process.MemoryBytes);
                _history.Add(Elapsed, Bytes, Requests);
            }
        }
    }

    /// <summary>Gets the latencies so far, of all kinds of requests together.</summary>
    public LatencyHistogram Latency() => Merge(kind => kind.Duration);

    /// <summary>Ends the run. Only the first call counts.</summary>
    public RunMeasurement Stop()
    {
        lock (_gate)
        {
            return _result ??= Measure();
        }
    }

    private bool IsStopped => Volatile.Read(ref _result) is not null;

    private RunMeasurement Measure()
    {
        TimeSpan elapsed = Elapsed;
        CpuUse cpu = new(process.CpuTime - _cpuBefore, elapsed, process.Cores);
        Dictionary<RequestKind, (LatencyHistogram FirstByte, LatencyHistogram Latency)> kinds = [];
        for (int i = 0; i < Kinds; i++)
        {
            if (_kinds[i] is { } kind)
            {
                (LatencyHistogram first, LatencyHistogram whole) = (new LatencyHistogram(), new LatencyHistogram());
                kind.FirstByte.AddTo(first);
                kind.Duration.AddTo(whole);
                kinds.Add((RequestKind)i, (first, whole));
            }
        }

        return new RunMeasurement
        {
            Elapsed = elapsed,
            Bytes = Bytes,
            Objects = Objects,
            Requests = Requests,
            Retries = Interlocked.Read(ref _retries),
            Errors = Interlocked.Read(ref _errors),
            Cpu = cpu,
            PeakMemoryBytes = Math.Max(_peakMemory, process.MemoryBytes),
            ByKind = kinds,
            Samples = _history.ToRates(elapsed, Bytes, Requests),
        };
    }

    private LatencyHistogram Merge(Func<KindMeter, LatencyRecorder> which)
    {
        LatencyHistogram all = new();
        foreach (KindMeter? kind in _kinds)
        {
            if (kind is not null)
            {
                which(kind).AddTo(all);
            }
        }

        return all;
    }

    private void Add(ref long counter, long count)
    {
        if (!IsStopped)
        {
            Interlocked.Add(ref counter, count);
        }
    }

    private KindMeter NewKind(RequestKind kind)
    {
        KindMeter made = new();
        return Interlocked.CompareExchange(ref _kinds[(int)kind], made, null) ?? made;
    }

    private sealed class KindMeter
    {
        public LatencyRecorder FirstByte { get; } = new();

        public LatencyRecorder Duration { get; } = new();
    }
}
