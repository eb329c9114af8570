using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Amazon.S3.Transfer;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.IntegrationTests.Transfers;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.IntegrationTests.Compatibility;

/// <summary>Directories with the adapter: the requests that they need, and differences from the SDK's utility.</summary>
public sealed class AdapterDirectoryTests : TransferSuite
{
    private const int Files = 1_100;
    private const int Pages = 2;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Requests_AreOnlyThoseOfFilesAndPages(bool isListenedTo)
    {
        await using EmbeddedStore store = await StartAsync();
        await using TransferClient client = new(store.S3, new TransferClientOptions { HedgeRequests = false }); // slow requests on a busy machine must not be sent twice
        using TransferUtilityAdapter adapter = new(client);
        string source = Directory.CreateDirectory(Path.Combine(Folder, "source")).FullName;
        for (int i = 0; i < Files; i++)
        {
            File.WriteAllBytes(Path.Combine(source, $"{i:d4}"), Pattern.Bytes(i % 7));
        }

        TransferUtilityUploadDirectoryRequest up = new() { BucketName = store.Bucket, Directory = source, KeyPrefix = "many", UploadFilesConcurrently = true };
        TransferUtilityDownloadDirectoryRequest down = new()
        {
            BucketName = store.Bucket,
            S3Directory = "many",
            LocalDirectory = Path.Combine(Folder, "target"),
            DownloadFilesConcurrently = true,
        };
        if (isListenedTo)
        {
            up.UploadDirectoryProgressEvent += (_, _) => { };
            down.DownloadedDirectoryProgressEvent += (_, _) => { };
        }

        long before = store.Server.Statistics.TotalRequests;
        TransferUtilityUploadDirectoryResponse uploaded = await adapter.UploadDirectoryWithResponseAsync(up);
        long between = store.Server.Statistics.TotalRequests;
        TransferUtilityDownloadDirectoryResponse downloaded = await adapter.DownloadDirectoryWithResponseAsync(down);
        long after = store.Server.Statistics.TotalRequests;

        Assert.EachEqual((Files, Files), (uploaded.ObjectsUploaded, downloaded.ObjectsDownloaded));
        Assert.EachEqual((Files, Files + Pages), (between - before, after - between));
        Assert.Equal(Directory.GetFiles(source).Select(Path.GetFileName).Order(), Directory.GetFiles(down.LocalDirectory).Select(Path.GetFileName).Order());
    }

    [Fact]
    public async Task LinkBelowTheDirectory_RedirectsNoWrite()
    {
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter adapter = new(store.S3);
        await adapter.UploadAsync(new MemoryStream(Pattern.Bytes(10)), store.Bucket, "tree/link/file");
        await adapter.UploadAsync(new MemoryStream(Pattern.Bytes(10)), store.Bucket, "tree/other");
        string elsewhere = Directory.CreateDirectory(Path.Combine(Folder, "elsewhere")).FullName;
        string target = Directory.CreateDirectory(Path.Combine(Folder, "target")).FullName;
        File.WriteAllText(Path.Combine(elsewhere, "kept"), "kept");
        Directory.CreateSymbolicLink(Path.Combine(target, "link"), elsewhere);
        File.CreateSymbolicLink(Path.Combine(target, "other"), Path.Combine(elsewhere, "kept"));

        TransferUtilityDownloadDirectoryResponse response = await adapter.DownloadDirectoryWithResponseAsync(new TransferUtilityDownloadDirectoryRequest
        {
            BucketName = store.Bucket,
            S3Directory = "tree",
            LocalDirectory = target,
            FailurePolicy = Amazon.S3.Transfer.FailurePolicy.ContinueOnFailure,
        });

        Assert.EachEqual((1, 1), (response.ObjectsDownloaded, response.ObjectsFailed));
        Assert.IsAssignableFrom<IOException>(Assert.Single(response.Errors));
        Assert.Equal(["kept"], Directory.GetFileSystemEntries(elsewhere).Select(Path.GetFileName));
        Assert.Equal("kept", File.ReadAllText(Path.Combine(elsewhere, "kept")));
        AssertPattern(Path.Combine(target, "other"), 10);
    }

    [Fact]
    public async Task EmptyFile_IsIncludedInProgress()
    {
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter adapter = new(store.S3);
        NewFile("empty", 0);
        TransferUtilityUploadDirectoryRequest request = new() { BucketName = store.Bucket, Directory = Folder };
        TaskCompletionSource<(int, int, string)> told = new(TaskCreationOptions.RunContinuationsAsynchronously);
        request.UploadDirectoryProgressEvent += (_, e) => told.TrySetResult((e.NumberOfFilesUploaded, e.TotalNumberOfFiles, e.CurrentFile));

        await adapter.UploadDirectoryAsync(request);

        Assert.EachEqual((1, 1, Path.Combine(Folder, "empty")), await told.Task.WaitAsync(TimeSpan.FromSeconds(10)));
    }

    [Theory]
    [InlineData("tree/../../out")]
    [InlineData("tree//root")]
    [InlineData("tree/a/../..")]
    public async Task KeyOutsideTheDirectory_IsRejected(string key)
    {
        await using EmbeddedStore store = await StartAsync();
        using TransferUtilityAdapter adapter = new(store.S3);
        await adapter.UploadAsync(new MemoryStream(Pattern.Bytes(10)), store.Bucket, key);
        string target = Path.Combine(Folder, "under/target");

        AmazonClientException e = await Assert.ThrowsAsync<AmazonClientException>(() => adapter.DownloadDirectoryAsync(store.Bucket, "tree", target));

        Assert.Contains("not allowed outside", e.Message, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(Folder, "*", SearchOption.AllDirectories));
    }

    [Fact]
    public async Task Decorator_ListsAllPagesAndAnyKeys()
    {
        await using EmbeddedStore store = await StartAsync();
        string[] keys = [.. Enumerable.Range(0, Files).Select(i => $"{i:d4} +%2B&é")];
        foreach (string key in keys)
        {
            await store.S3.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = "tree/" + key, ContentBody = "x" });
        }

        using DecoratedS3 decorated = new(store.Server.Endpoint.ToString());
        using TransferUtilityAdapter adapter = new(decorated);
        string target = Path.Combine(Folder, "target");

        TransferUtilityDownloadDirectoryResponse response = await adapter.DownloadDirectoryWithResponseAsync(store.Bucket, "tree", target);

        Assert.EachEqual((Files, Pages), (response.ObjectsDownloaded, decorated.Listings));
        Assert.Equal(keys, Directory.GetFiles(target).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("<html/>")]
    [InlineData("<?xml version=\"1.0\"?><ListBucketResult/>")]
    public async Task Decorator_EndpointIsAWebServer_Throws(string page)
    {
        await using ScriptedServer web = new(_ => ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nContent-Type: text/html", page));
        using DecoratedS3 decorated = new(web.Url);
        using TransferUtilityAdapter adapter = new(decorated);

        AmazonServiceException e = await Assert.ThrowsAnyAsync<AmazonServiceException>(() => adapter.DownloadDirectoryAsync("bucket", "tree", Path.Combine(Folder, "target")));

        Assert.Contains("status 200 and no S3 error: is it an S3 endpoint?", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task AdapterOverAnotherClient_HasNoDirectories()
    {
        using TransferUtilityAdapter adapter = new(new Moq.Mock<ITransferClient>().Object);

        await Assert.ThrowsAsync<NotSupportedException>(() => adapter.DownloadDirectoryAsync("bucket", "tree", Folder));
        await Assert.ThrowsAsync<NotSupportedException>(() => adapter.UploadDirectoryAsync(Folder, "bucket"));
    }

    private static async Task<EmbeddedStore> StartAsync()
    {
        EmbeddedStore store = await EmbeddedStore.StartAsync();
        await store.S3.PutBucketAsync(store.Bucket);
        return store;
    }

    /// <summary>A subclass of the S3 client, written by the caller, that counts its listings.</summary>
    private sealed class DecoratedS3(string url) : AmazonS3Client(
        new BasicAWSCredentials("transfer", "transfer-secret"), new AmazonS3Config { ServiceURL = url, ForcePathStyle = true, AuthenticationRegion = "us-east-1" })
    {
        public int Listings { get; private set; }

        public override Task<ListObjectsResponse> ListObjectsAsync(ListObjectsRequest request, CancellationToken cancellationToken = default)
        {
            Listings++;
            return base.ListObjectsAsync(request, cancellationToken);
        }
    }
}
