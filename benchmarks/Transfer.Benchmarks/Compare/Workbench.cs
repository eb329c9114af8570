using System.Buffers;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Transfer;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>
/// The objects that a contender uses in its process. They are created when first used, so that no contender pays for what only others need.
/// </summary>
internal sealed class Workbench : IAsyncDisposable
{
    /// <summary>The line with which a contender's process marks the beginning of a phase. The parent answers when the server has kept its counters.</summary>
    public const string Mark = "mark";

    /// <summary>The credentials of every server.</summary>
    public const string AccessKey = "transfer";

    /// <inheritdoc cref="AccessKey"/>
    public const string SecretKey = "transfer-secret";

    private readonly Lazy<TransferClient> _client;
    private readonly Lazy<TransferEngine> _measured;
    private readonly Lazy<TransferUtility> _utility;
    private readonly Lazy<byte[]> _buffer = new(() => new byte[128 * 1024]);
    private readonly Lazy<byte[]> _memory;
    private readonly Lazy<string> _source;
    private readonly Lazy<string> _emptySource;
    private readonly Lazy<ReadOnlySequence<byte>> _content;
    private readonly Lazy<byte[]> _contentArray;

    private int _folders;

    public Workbench(Uri endpoint, long objectBytes, TransferClientOptions clientOptions, bool isOnDisk)
    {
        Endpoint = endpoint;
        ObjectBytes = objectBytes;
        S3 = Connect(endpoint);
        _memory = new Lazy<byte[]>(() => new byte[objectBytes]);
        _client = new Lazy<TransferClient>(() => new TransferClient(S3, clientOptions));
        _measured = new Lazy<TransferEngine>(() => new TransferEngine(options => new TransferClient(S3, options), new TransferClientOptions(), BenchmarkStore.Bucket, ChecksumAlgorithm.Auto));
        _utility = new Lazy<TransferUtility>(() => new TransferUtility(S3));
        Path = Scratch.NewPath(isOnDisk);
        _source = new Lazy<string>(WriteSource);
        _emptySource = new Lazy<string>(WriteEmptySource);
        _content = new Lazy<ReadOnlySequence<byte>>(() => TestData.Create(objectBytes));
        _contentArray = new Lazy<byte[]>(() => _content.Value.ToArray());
    }

    public Uri Endpoint { get; }

    public AmazonS3Client S3 { get; private set; }

    public TransferClient Client => _client.Value;

    /// <summary>Gets the peak bytes of the client's buffers; null if the client was not used.</summary>
    public long? PeakBufferBytes => _client.IsValueCreated ? _client.Value.PeakRentedBytes : null;

    /// <summary>Gets a client whose requests are measured.</summary>
    public TransferEngine Measured => _measured.Value;

    public TransferUtility Utility => _utility.Value;

    /// <summary>Gets the key of the object to read.</summary>
    public string Key => ObjectKey(ObjectBytes);

    public long ObjectBytes { get; }

    /// <summary>Gets the name of an unused file, in memory if the system has such a file system, unless the contest is on the disk.</summary>
    public string Path { get; }

    /// <summary>Gets the content of the object in memory.</summary>
    public ReadOnlySequence<byte> Content => _content.Value;

    /// <summary>Gets the content of the object in one array.</summary>
    public byte[] ContentArray => _contentArray.Value;

    /// <summary>Gets a file with the content of the object.</summary>
    public string Source => _source.Value;

    /// <summary>Gets a sparse file of the length of the object, which contains only zeros.</summary>
    public string EmptySource => _emptySource.Value;

    /// <summary>Gets or sets the duration of each object, if a contender measures it.</summary>
    public TimeSpan[]? Times { get; set; }

    /// <summary>Gets or sets the share of each client in the bytes, if several share a link.</summary>
    public double[]? Shares { get; set; }

    /// <summary>Gets or sets the cost of a program that does the work in a process of its own; null if this process does it.</summary>
    public ProgramCost? Child { get; set; }

    /// <summary>Gets a buffer of the caller.</summary>
    public byte[] Buffer => _buffer.Value;

    /// <summary>Gets memory for the whole object.</summary>
    public byte[] Memory => _memory.Value;

    /// <summary>Marks the beginning of a phase, so that the requests of each phase can be counted.</summary>
    public static async Task MarkAsync()
    {
        await Console.Out.WriteLineAsync(Mark);
        await Console.In.ReadLineAsync();
    }

    public static string ObjectKey(long bytes) => $"object-{bytes}";

    public static AmazonS3Client Connect(Uri endpoint, HttpClientFactory? factory = null) => new(
        new BasicAWSCredentials(AccessKey, SecretKey),
        new AmazonS3Config { ServiceURL = endpoint.ToString(), ForcePathStyle = true, AuthenticationRegion = "us-east-1", HttpClientFactory = factory });

    /// <summary>Makes the store return this checksum of the object. Must be called before any client is used.</summary>
    public void Tell(StoredChecksum checksum, IReadOnlyList<long> partLengths) => Use(new TellingHttpClientFactory(checksum, partLengths));

    /// <summary>Makes all clients use the connections of a factory. Must be called before any client is used.</summary>
    public void Use(HttpClientFactory factory)
    {
        S3.Dispose();
        S3 = Connect(Endpoint, factory);
    }

    /// <summary>Returns the name of a folder that doesn't exist yet, in memory like <see cref="Path"/>.</summary>
    public string NewFolder() => System.IO.Path.Combine(Folder, $"{_folders++}");

    /// <summary>Returns a folder with the given number of files, each of the length of the object.</summary>
    public string SourceFolder(int files)
    {
        string folder = System.IO.Path.Combine(Folder, "source");
        if (!Directory.Exists(folder))
        {
            Tree.Write(folder, ObjectBytes, files);
        }

        return folder;
    }

    private string Folder => Path + ".d";

    public async ValueTask DisposeAsync()
    {
        if (_client.IsValueCreated)
        {
            await _client.Value.DisposeAsync();
        }

        if (_measured.IsValueCreated)
        {
            await _measured.Value.DisposeAsync();
        }

        if (_utility.IsValueCreated)
        {
            _utility.Value.Dispose();
        }

        S3.Dispose();
        File.Delete(Path);
        if (Directory.Exists(Folder))
        {
            Directory.Delete(Folder, recursive: true);
        }
    }

    private string WriteEmptySource()
    {
        using FileStream file = File.Create(Path);
        file.SetLength(ObjectBytes);
        return Path;
    }

    private string WriteSource()
    {
        using FileStream file = File.Create(Path);
        foreach (ReadOnlyMemory<byte> block in Content)
        {
            file.Write(block.Span);
        }

        return Path;
    }
}
