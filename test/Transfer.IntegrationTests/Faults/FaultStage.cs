using System.Security.Cryptography.X509Certificates;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>
/// The environment of one operation with one fault: a server, a client, and a folder, with a final check that nothing is left behind.
/// </summary>
internal abstract class FaultStage : IAsyncDisposable
{
    public const int Part = 5 << 20;
    private const int DownloadPart = 64 << 10;
    private readonly TemporaryFolder _folder = new();
    private readonly WarningLog _log = new();
    private readonly OwnHttpClients _sdkClients;
    private readonly OwnHttpClients _ownerClients;
    private readonly TransferWire _wire;
    private readonly AmazonS3Client _s3;

    /// <param name="endpoint">The endpoint of the client, which injects the faults.</param>
    /// <param name="credentials">The credentials of the client.</param>
    /// <param name="createOwner">Creates a client of the store for the test itself.</param>
    /// <param name="certificate">The certificate of the store; null for plain HTTP.</param>
    /// <param name="wire">How requests are sent.</param>
    /// <param name="isPatient">Whether the client retries often enough for faults that occur once.</param>
    /// <param name="sdkRetries">The number of retries of the SDK.</param>
    /// <param name="memoryBytes">The memory of the client; null for the default.</param>
    protected FaultStage(
        Uri endpoint,
        AWSCredentials credentials,
        Func<HttpClientFactory, AmazonS3Client> createOwner,
        X509Certificate2? certificate,
        TransferWire wire,
        bool isPatient,
        int sdkRetries = 0,
        long? memoryBytes = null)
    {
        _wire = wire;
        _sdkClients = new OwnHttpClients(certificate);
        _ownerClients = new OwnHttpClients(certificate);
        Owner = createOwner(_ownerClients);
        AmazonS3Config config = new()
        {
            ServiceURL = endpoint.ToString(),
            AuthenticationRegion = "us-east-1",
            ForcePathStyle = true,
            MaxErrorRetry = sdkRetries,
            HttpClientFactory = certificate is null ? null : _sdkClients,
        };
        _s3 = new AmazonS3Client(credentials, config);
        Client = new TransferClient(_s3, new TransferClientOptions
        {
            Advanced = { Wire = wire, EnvironmentVariables = static _ => null },
            DownloadPartSizeBytes = DownloadPart,
            UploadPartSizeBytes = Part,
            MultipartThresholdBytes = Part,
            MemoryBytes = memoryBytes,
            MaxAttempts = isPatient ? 6 : 3,
            StallTimeout = TimeSpan.FromSeconds(1),
            LoggerFactory = _log,
            StateDirectory = string.Empty,
        });
        config.HttpClientFactory = _sdkClients; // allows closing the connections of the SDK; the transfer client already has its own
        Directory.CreateDirectory(Source);
        Directory.CreateDirectory(Target);
    }

    /// <summary>Gets content that is downloaded in several ranges.</summary>
    public static byte[] Small { get; } = Pattern.Bytes((5 * DownloadPart) + 1);

    /// <summary>Gets content that is uploaded in two parts.</summary>
    public static byte[] Large { get; } = Pattern.Bytes(Part + 1);

    public TransferClient Client { get; }

    /// <summary>Gets a value that indicates whether every request is sent by the SDK.</summary>
    public bool IsSdkWire => _wire == TransferWire.Sdk;

    /// <summary>Gets a folder with the files to upload or compare.</summary>
    public string Source => _folder.File("source");

    /// <summary>Gets an empty folder for downloads.</summary>
    public string Target => _folder.File("target");

    public virtual string Bucket => "bucket";

    /// <summary>Gets the S3 client of the test itself, whose requests avoid any fault.</summary>
    protected AmazonS3Client Owner { get; }

    /// <summary>Gets how often the fault occurred.</summary>
    public abstract long Struck { get; }

    /// <summary>Gets a value that indicates whether every connection of the client is closed.</summary>
    protected abstract bool IsQuiet { get; }

    /// <summary>Describes the connections that are open, and the requests of which the store hasn't seen the end.</summary>
    protected abstract string DescribeOpen();

    /// <summary>Injects the fault from now on.</summary>
    public abstract Task StrikeAsync(bool always);

    public abstract Task<int> CountOpenUploadsAsync();

    public async Task StoreAsync(string key, byte[] content, string? bucket = null)
    {
        await Owner.PutObjectAsync(new PutObjectRequest { BucketName = bucket ?? Bucket, Key = key, InputStream = new MemoryStream(content) }).Within();
    }

    public async Task<string> BeginUploadAsync(string key)
    {
        return (await Owner.InitiateMultipartUploadAsync(new InitiateMultipartUploadRequest { BucketName = Bucket, Key = key }).Within()).UploadId;
    }

    public string SourceFile(string name, byte[] content)
    {
        string path = Path.Combine(Source, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, content);
        return path;
    }

    /// <summary>Asserts that the bucket contains exactly these objects, with these bytes.</summary>
    public async Task AssertStoredAsync(IReadOnlyDictionary<string, byte[]> objects)
    {
        Calm();
        ListObjectsV2Response list = await Owner.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket }).Within();
        Assert.Equal(objects.Keys.Order(StringComparer.Ordinal), list.S3Objects.Select(static item => item.Key));
        foreach ((string key, byte[] content) in objects)
        {
            using GetObjectResponse response = await Owner.GetObjectAsync(Bucket, key).Within();
            MemoryStream stored = new();
            await response.ResponseStream.CopyToAsync(stored).Within();
            Assert.True(stored.ToArray().AsSpan().SequenceEqual(content), $"{key} has wrong bytes");
        }
    }

    public void AssertFiles(IReadOnlyDictionary<string, byte[]> files)
    {
        Assert.Equal(files.Keys.Order(StringComparer.Ordinal), FilesAtTarget().Order(StringComparer.Ordinal));
        Assert.All(files, file => Assert.True(File.ReadAllBytes(Path.Combine(Target, file.Key)).AsSpan().SequenceEqual(file.Value), $"{file.Key} has wrong bytes"));
    }

    /// <summary>Asserts everything that must be true after the operation, whatever its result.</summary>
    /// <param name="failure">The failure; null if the operation succeeded.</param>
    /// <param name="whole">The complete files that a failure may leave.</param>
    /// <param name="mayKeepUploads">Whether uploads existed before the operation.</param>
    public async Task AssertNothingLeftAsync(Exception? failure, IReadOnlyDictionary<string, byte[]> whole, bool mayKeepUploads)
    {
        Assert.True(Client.RentedBytes == 0 && Client.Context.Pool.Budget.ReservedBytes == 0, $"memory was not returned: {Client.Context.Pool.DescribeRented()}");
        if (failure is not null)
        {
            AssertFiles(whole.Where(file => File.Exists(Path.Combine(Target, file.Key))).ToDictionary());
            Assert.NotEmpty(failure.Message);
        }

        int open = await CountOpenUploadsAsync();
        bool isSaid = (failure as TransferException)?.CleanupError is not null || _log.Warnings.Any(static warning => warning.Contains("upload", StringComparison.Ordinal));

        // If a connection fails, the SDK sends a request again even with retries turned off, and doesn't report it.
        bool isHidden = failure is null && IsSdkWire;
        Assert.True(open == 0 || mayKeepUploads || isSaid || isHidden, $"{open} uploads are open, and no error or warning reports them");

        await CloseAsync();
        await Deadline.Until(() => IsQuiet, DescribeOpen);
    }

    public virtual async ValueTask DisposeAsync()
    {
        await CloseAsync();
        _folder.Dispose();
        _log.Dispose();
    }

    /// <summary>Lets requests of the owner pass if they are also affected by the fault.</summary>
    protected virtual void Calm()
    {
        // The requests of the owner don't use the faulty endpoint.
    }

    private async Task CloseAsync()
    {
        await Client.DisposeAsync().Within();
        _s3.Dispose();
        _sdkClients.Dispose();
        Owner.Dispose();
        _ownerClients.Dispose();
    }

    private IEnumerable<string> FilesAtTarget() =>
        Directory.EnumerateFiles(Target, "*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 }).Select(path => Path.GetRelativePath(Target, path));
}
