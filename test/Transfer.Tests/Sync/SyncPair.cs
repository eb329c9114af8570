using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Sync;

/// <summary>A source and a target in one direction, and the clients between them.</summary>
internal sealed class SyncPair : IDisposable
{
    public const string SourcePrefix = "s/";
    public const string TargetPrefix = "t/";
    public const string BackupPrefix = "old/";

    private readonly SyncDirection _direction;
    private readonly Func<FakeS3, TransferClient> _newClient;
    private readonly TemporaryFolder _folder = new();
    private readonly TemporaryFolder _backup = new();
    private TransferClient _client;
    private TransferClient _other;

    public SyncPair(SyncDirection direction, FakeS3 source, Func<FakeS3, TransferClient> newClient)
    {
        _direction = direction;
        _newClient = newClient;
        Store = source;
        Target = HasTwoStores ? new FakeS3() : source;
        Store.HasMd5Tags = Target.HasMd5Tags = true;
        (_client, _other) = NewClients();
    }

    /// <summary>Gets the store of the source or, if that is a folder, of the target.</summary>
    public FakeS3 Store { get; }

    /// <summary>Gets the store of the target.</summary>
    public FakeS3 Target { get; }

    public TemporaryFolder Folder => _folder;

    /// <summary>Gets the folders that are part of a local side if they exist. Their names end in a slash.</summary>
    public IReadOnlyList<string> Folders { get; init; } = [];

    /// <summary>Gets a backup outside of both sides.</summary>
    public Place Backup => HasLocalTarget ? Place.InDirectory(BackupPath) : Place.InBucket(FakeS3.Bucket, BackupPrefix);

    /// <summary>Gets the path of a local backup, which is created by the first file in it.</summary>
    public string BackupPath => _backup.File("old");

    public bool HasLocalSource => _direction == SyncDirection.Upload;

    public bool HasLocalTarget => _direction == SyncDirection.Download;

    public Place From => HasLocalSource ? Place.InDirectory(_folder.Path) : Place.InBucket(FakeS3.Bucket, SourcePrefix);

    public Place To => HasLocalTarget ? Place.InDirectory(_folder.Path) : Place.InBucket(FakeS3.Bucket, TargetPrefix);

    private bool HasTwoStores => _direction == SyncDirection.Between;

    /// <summary>Forgets what the clients have in memory.</summary>
    public async Task RestartAsync()
    {
        await _client.DisposeAsync();
        await _other.DisposeAsync();
        (_client, _other) = NewClients();
    }

    /// <summary>Calls back before each request.</summary>
    public void Intervene(Action<S3Call> before)
    {
        Func<S3Call, CancellationToken, Task> intervene = (call, _) =>
        {
            before(call);
            return Task.CompletedTask;
        };
        Store.Before = intervene;
        Target.Before = intervene;
    }

    public void SetSource(IReadOnlyDictionary<string, string> tree)
    {
        if (HasLocalSource)
        {
            SyncTree.WriteAll(_folder, tree);
        }
        else
        {
            SyncTree.PutAll(Store, SourcePrefix, tree);
        }
    }

    public void SetTarget(IReadOnlyDictionary<string, string> tree)
    {
        if (HasLocalTarget)
        {
            SyncTree.WriteAll(_folder, tree);
        }
        else
        {
            SyncTree.PutAll(Target, TargetPrefix, tree);
        }
    }

    public Dictionary<string, string> GetTarget() => HasLocalTarget ? SyncTree.ReadAll(_folder, Folders) : SyncTree.ReadAll(Target, TargetPrefix);

    public Dictionary<string, string> GetBackup() => HasLocalTarget
        ? SyncTree.ReadAll(_backup).ToDictionary(static one => one.Key["old/".Length..], static one => one.Value)
        : SyncTree.ReadAll(Target, BackupPrefix);

    public Dictionary<string, string> GetSource() => HasLocalSource ? SyncTree.ReadAll(_folder, Folders) : SyncTree.ReadAll(Store, SourcePrefix);

    public Task<DirectoryResult> RunAsync(SyncOptions options, CancellationToken cancellationToken = default) => RunAsync(options, null, cancellationToken);

    public Task<DirectoryResult> RunAsync(SyncOptions options, IProgress<TransferProgress>? progress, CancellationToken token) => (HasTwoStores
        ? _client.SyncAsync(From, _other, To, options, progress, token)
        : _client.SyncAsync(From, To, options, progress, token)).Within();

    public Task<DirectoryResult> CopyAsync(DirectoryOptions options, IProgress<TransferProgress>? progress, CancellationToken token) => (HasTwoStores
        ? _client.CopyTreeAsync(From, _other, To, options, progress, token)
        : _client.CopyTreeAsync(From, To, options, progress, token)).Within();

    public Task<List<Outcome>> PlanAsync(SyncOptions options)
        => (HasTwoStores ? _client.PlanSyncAsync(From, _other, To, options) : _client.PlanSyncAsync(From, To, options)).ToListAsync().AsTask();

    /// <summary>Compares a folder with a prefix, as the tool's verify does; true for a copy from store to store.</summary>
    public async Task<bool> VerifyAsync() => _direction switch
    {
        SyncDirection.Upload => (await _client.VerifyTreeAsync(From, To).Within()).Counts.IsComplete,
        SyncDirection.Download => (await _client.VerifyTreeAsync(To, From).Within()).Counts.IsComplete,
        _ => SyncTree.Show(GetSource()) == SyncTree.Show(GetTarget()),
    };

    /// <summary>Gets the calls that delete anything.</summary>
    public int Deletions => Target.Calls.Count(call => call.Operation is S3Call.Delete or S3Call.DeleteBatch);

    public void Dispose()
    {
        _folder.Dispose();
        _backup.Dispose();
    }

    private (TransferClient Client, TransferClient Other) NewClients()
    {
        TransferClient client = _newClient(Store);
        return (client, HasTwoStores ? _newClient(Target) : client);
    }
}
