using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using Transfer.S3.Server.Abilities;
using Transfer.S3.Server.Faults;
using Transfer.S3.Server.Shaping;
using Transfer.S3.Server.Signing;
using Transfer.S3.Server.Storage;
using Transfer.S3.Server.Storage.Folder;

namespace Transfer.S3.Server;

/// <summary>The state that all requests of a server share.</summary>
internal sealed class ServerContext : IDisposable
{
    private readonly IDisposable? _folderLock;
    private FaultInjector? _faults;
    private CancellationTokenSource _connectionsClosing = new();
    private int _admitted;
    private long _requests = BitConverter.ToInt64(RandomNumberGenerator.GetBytes(sizeof(long)));

    public ServerContext(ResolvedOptions options)
    {
        Options = options;
        Verifier = new SignatureVerifier(options);
        Shaping = new ServerShaping(options);
        Abilities = options.Abilities;
        SetFaults(options.Faults);
        Logger = options.LoggerFactory.CreateLogger<EmbeddedS3Server>();
        if (options.Directory is null)
        {
            Blobs = options.Discard ? new DiscardBlobStore() : new MemoryBlobStore();
            Journal = new NoJournal();
        }
        else
        {
            var layout = new FolderLayout(options.Directory);
            layout.Create();
            _folderLock = FolderLock.Take(layout);
            var store = new FolderBlobStore(layout, Logger);
            Blobs = store;
            Journal = new FolderJournal(layout, store);
        }

        try
        {
            Catalog = new Catalog(Journal, Statistics);
            foreach (string bucket in options.Buckets)
            {
                Catalog.TryCreate(bucket, Now);
            }
        }
        catch
        {
            _folderLock?.Dispose();
            throw;
        }
    }

    public ResolvedOptions Options { get; }

    /// <summary>Gets what the server does without.</summary>
    public ServerAbilities Abilities { get; }

    /// <summary>Gets the current latency and rates.</summary>
    public ServerShaping Shaping { get; }

    /// <summary>Admits a request unless <see cref="EmbeddedS3ServerOptions.MaxRequests"/> is reached.</summary>
    public bool TryAdmit()
    {
        if (Interlocked.Increment(ref _admitted) <= (Options.MaxRequests ?? int.MaxValue))
        {
            return true;
        }

        Interlocked.Decrement(ref _admitted);
        return false;
    }

    /// <summary>Releases the slot of an admitted request.</summary>
    public void Leave() => Interlocked.Decrement(ref _admitted);

    public ServerStatistics Statistics { get; } = new();

    public RequestLog Requests { get; } = new(ServerDefaults.RequestLogCapacity);

    public SignatureVerifier Verifier { get; }

    /// <summary>Gets the active faults; null if there are none.</summary>
    public FaultInjector? Faults => Volatile.Read(ref _faults);

    /// <summary>Gets a token that is canceled when the connections that are open now are to be closed after the request that they serve.</summary>
    public CancellationToken ConnectionsClosing => Volatile.Read(ref _connectionsClosing).Token;

    public ILogger Logger { get; }

    public IBlobStore Blobs { get; }

    /// <summary>Gets a value that indicates whether an MD5 of received content is computed for its ETag.</summary>
    public bool MakesMd5 => Options.Md5ETags && Blobs.KeepsBytes;

    public ICatalogJournal Journal { get; }

    public Catalog Catalog { get; }

    /// <summary>Gets the value of <c>x-amz-id-2</c>, which identifies this server.</summary>
    public string HostId { get; } = Convert.ToBase64String(RandomNumberGenerator.GetBytes(48));

    /// <summary>Gets the current time in whole seconds, the precision of S3.</summary>
    public DateTimeOffset Now => Http.HttpDate.WholeSeconds(Options.Time.GetUtcNow());

    /// <exception cref="ArgumentException">Thrown when a property of the plan is out of range.</exception>
    public void SetFaults(FaultPlan? plan)
    {
        if (plan is not null)
        {
            FaultCheck.ThrowIfWrong(plan, isHttps: Options.Certificate is not null);
        }

        Volatile.Write(ref _faults, plan is null ? null : new FaultInjector(plan, Statistics));
        if (plan is not null && plan.Rules.Any(static rule => FaultScope.IsOfConnections(rule.Fault)))
        {
            Interlocked.Exchange(ref _connectionsClosing, new CancellationTokenSource()).Cancel(); // a client that reuses its connections would never meet the fault
        }
    }

    public string NextRequestId() => unchecked((ulong)Interlocked.Increment(ref _requests)).ToString("X16");

    public void Dispose()
    {
        _connectionsClosing.Dispose();
        _folderLock?.Dispose();
    }
}
