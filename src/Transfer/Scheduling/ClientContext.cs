using Microsoft.Extensions.Logging;
using Transfer.Buffers;
using Transfer.Observability;
using Transfer.Wire;

namespace Transfer.Scheduling;

/// <summary>What all transfers of one client share.</summary>
internal sealed class ClientContext : IDisposable
{
    public ClientContext(SdkWire wire, ClientSettings settings, Random random)
    {
        Wire = wire;
        Settings = settings;
        Logger = settings.LoggerFactory.CreateLogger("Transfer");
        Pool = new ChunkPool(settings.ChunkSizeBytes, new MemoryBudget(settings.MemoryBytes), settings.ArrayPool);
        Scheduler = new RequestScheduler(settings.Concurrency, new RetryPolicy(settings.MaxAttempts, random), settings.TimeProvider, Logger);
    }

    public SdkWire Wire { get; }

    public ClientSettings Settings { get; }

    public ChunkPool Pool { get; }

    public RequestScheduler Scheduler { get; }

    public TimeProvider Time => Settings.TimeProvider;

    public ILogger Logger { get; }

    /// <summary>Whether the store was found to refuse GetObjectAttributes: then no request is spent on it again.</summary>
    public bool RefusesAttributes { get; set; }

    public TransferReporter Report(
        TransferDirection direction, ObjectAddress address, IProgress<TransferProgress>? progress, TransferEvents? events)
        => new(direction, address.Bucket, address.Key, progress, [Settings.Events, events], Settings.ProgressInterval, Time, Logger);

    public void Dispose() => Scheduler.Dispose();
}
