using Amazon.S3;
using Transfer.S3.Cli.Options;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>A probe of a store finds exactly what the store doesn't support, leaves nothing behind, and is remembered.</summary>
public sealed class StoreProbeTests : IDisposable
{
    private const string Bucket = "bucket";
    private const string PartReuse = "part-reuse";
    private readonly TemporaryFolder _state = new();

    /// <summary>What the embedded server doesn't do, as Amazon S3 doesn't.</summary>
    private static readonly string[] NeverSupported = ["small-parts"];

    public static TheoryData<ServerAbility, bool> Losses
    {
        get
        {
            ServerAbility[] onlyRefused =
            [
                ServerAbility.Copy, ServerAbility.PartCopy, ServerAbility.Attributes, ServerAbility.Tags, ServerAbility.Multipart, ServerAbility.UnequalParts,
                ServerAbility.ListParts, ServerAbility.ListUploads, ServerAbility.BatchDelete, ServerAbility.UnsignedBody, ServerAbility.ListVersions,
            ];
            TheoryData<ServerAbility, bool> data = [];
            foreach (ServerAbility ability in Enum.GetValues<ServerAbility>())
            {
                if (ability != ServerAbility.TagCount)
                {
                    data.Add(ability, true);
                }

                if (!onlyRefused.Contains(ability))
                {
                    data.Add(ability, false);
                }
            }

            return data;
        }
    }

    public void Dispose() => _state.Dispose();

    [Fact]
    public async Task Probe_StoreWithAllAbilities_FindsThemAndLeavesNothing()
    {
        await using EmbeddedS3Server server = await StartAsync();
        using AmazonS3Client s3 = server.CreateClient();
        await using TransferClient client = New(s3);

        StoreReport report = await client.ProbeStoreAsync(Bucket, "scratch").Within();

        Assert.Equal(NeverSupported.Order(), NotSupported(report).Order());
        Assert.Empty(report.LeftBehind);
        await AssertIsEmptyAsync(s3);
        Assert.Equal(0, client.RentedBytes);
        Assert.All(server.Requests.Where(request => request.Key is not null), request => Assert.StartsWith("scratch/transfer-probe-", request.Key, StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Losses))]
    public async Task Probe_StoreWithoutAnAbility_FindsExactlyThat(ServerAbility ability, bool isRefused)
    {
        await using EmbeddedS3Server server = await StartAsync(isRefused ? [ability] : [], isRefused ? [] : [ability]);
        using AmazonS3Client s3 = server.CreateClient();
        await using TransferClient client = New(s3);

        StoreReport report = await client.ProbeStoreAsync(Bucket).Within();

        string name = EnumText.Name(ability);
        Assert.Equal([name], NotSupported(report).Except(NeverSupported));
        StoreAbility found = report.Abilities.Single(one => one.Name == name);
        Assert.Equal(isRefused ? StoreSupport.Refused : StoreSupport.Ignored, found.Support);
        Assert.NotEmpty(found.Detail);
        Assert.Empty(report.LeftBehind);
        await AssertIsEmptyAsync(s3);

        // What depends on it isn't known, and nothing else is.
        Assert.All(report.Abilities.Where(one => one.Support == StoreSupport.Unknown), one => Assert.Contains(name, one.Detail, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Probe_StoreReturnsNoChecksums_FindsThatPartsCannotBeReused()
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket], ReturnChecksums = false });
        using AmazonS3Client s3 = server.CreateClient();
        await using TransferClient client = New(s3);

        StoreReport report = await client.ProbeStoreAsync(Bucket).Within();

        Assert.Equal(["checksum-mode", PartReuse], NotSupported(report).Except(NeverSupported));
        StoreAbility found = report.Abilities.Single(static one => one.Name == PartReuse);
        Assert.Equal((StoreSupport.Ignored, "--delta sends whole files, because the store does not list the parts of an object with their checksums"), (found.Support, found.Detail));
    }

    [Theory]
    [InlineData(400, "InvalidRequest", StoreSupport.Refused, "--delta sends whole files every second time")]
    [InlineData(403, "AccessDenied", StoreSupport.Unknown, "the credentials may not do that")]
    public async Task Probe_StoreCopiesNoPartsIntoAnUploadWithChecksums_FindsThatPartsCannotBeReused(int status, string code, StoreSupport support, string detail)
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        store.Answer = request => RecordedStore.Header(request, "x-amz-copy-source") is null || !request.RequestUri!.AbsolutePath.EndsWith("/" + PartReuse, StringComparison.Ordinal) ? null
            : new HttpResponseMessage((System.Net.HttpStatusCode)status) { Content = new StringContent($"<Error><Code>{code}</Code></Error>") };
        await using TransferClient client = New(store.S3);

        StoreReport report = await client.ProbeStoreAsync(store.Bucket).Within();

        StoreAbility found = report.Abilities.Single(static one => one.Name == PartReuse);
        Assert.Equal(support, found.Support);
        Assert.StartsWith(detail, found.Detail, StringComparison.Ordinal);
        Assert.Empty(report.LeftBehind);
        Assert.Equal(0, store.Server.Statistics.OpenMultipartUploads);
    }

    [Fact]
    public async Task Probe_IsRemembered_LaterClientsDoNotTryWhatIsRefused()
    {
        await using EmbeddedS3Server server = await StartAsync([ServerAbility.PutIfAbsent, ServerAbility.Crc64Nvme, ServerAbility.UnequalParts, ServerAbility.Attributes]);
        using AmazonS3Client s3 = server.CreateClient();
        await using (TransferClient client = New(s3))
        {
            StoreReport report = await client.ProbeStoreAsync(Bucket).Within();
            Assert.True(File.Exists(report.RememberedIn));
        }

        server.ClearRequests();
        await using TransferClient later = New(s3);
        await later.UploadAsync(new MemoryStream(new byte[10]), Bucket, "one", new UploadOptions { Overwrite = false }).Within();
        await later.UploadAsync(new MemoryStream(new byte[10]), Bucket, "two", new UploadOptions { Overwrite = false }).Within();

        Assert.Equal(["HeadObject", "PutObject", "HeadObject", "PutObject"], server.Requests.Select(request => request.Operation));
        Assert.DoesNotContain(server.Requests, request => request.StatusCode >= 500);
    }

    [Fact]
    public async Task Probe_Canceled_LeavesNothing()
    {
        await using EmbeddedS3Server server = await StartAsync();
        using AmazonS3Client s3 = server.CreateClient();
        using CancellationTokenSource stop = new();
        int requests = 0;
        await using TransferClient client = New(s3, _ =>
        {
            if (Interlocked.Increment(ref requests) == 40)
            {
                stop.Cancel();
            }
        });

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => client.ProbeStoreAsync(Bucket, cancellationToken: stop.Token)).Within();

        await AssertIsEmptyAsync(s3);
    }

    [Fact]
    public async Task Probe_NothingCanBeCreated_Throws()
    {
        await using EmbeddedS3Server server = await StartAsync();
        using AmazonS3Client s3 = server.CreateClient();
        await using TransferClient client = New(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.ProbeStoreAsync("missing")).Within();

        Assert.Contains("create an object to probe the store", e.Message, StringComparison.Ordinal);
    }

    [MinioFact]
    public async Task Probe_Minio_LeavesNothing()
    {
        await using Store store = await Store.StartAsync(Store.Minio);
        await using TransferClient client = New(store.S3);

        StoreReport report = await client.ProbeStoreAsync(store.Bucket).Within();

        Assert.Empty(report.LeftBehind);
        Assert.Empty((await store.S3.ListObjectsV2Async(new() { BucketName = store.Bucket, Prefix = "transfer-probe-" }).Within()).S3Objects ?? []);
        Assert.Contains(report.Abilities, static one => one is { Name: "put-if-absent", Support: StoreSupport.Supported });
        StoreAbility reuse = report.Abilities.Single(static one => one.Name == PartReuse);
        Assert.Equal(StoreSupport.Refused, reuse.Support);
        Assert.StartsWith("--delta sends whole files every second time", reuse.Detail, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task List_StoreWithoutListV2_IsComplete(bool isRefused)
    {
        const int Objects = 2_500;
        await using EmbeddedS3Server server = await StartAsync(isRefused ? [ServerAbility.ListV2] : [], isRefused ? [] : [ServerAbility.ListV2]);
        using AmazonS3Client s3 = server.CreateClient();
        await using TransferClient client = New(s3);
        string[] keys = [.. Enumerable.Range(0, Objects).Select(static number => $"k{number:0000} +%")];
        await Parallel.ForEachAsync(keys, async (key, token) => await client.UploadAsync(Stream.Null, Bucket, key, cancellationToken: token)).Within();
        server.ClearRequests();

        List<string> listed = [];
        await foreach (ListedObject item in client.ListObjectsAsync(Bucket))
        {
            listed.Add(item.Key);
        }

        Assert.Equal(keys, listed);
        Assert.Equal(isRefused ? 4 : 3, server.Requests.Count(request => request.Operation.StartsWith("ListObjects", StringComparison.Ordinal)));
    }

    private static IEnumerable<string> NotSupported(StoreReport report)
        => report.Abilities.Where(static one => one.Support is StoreSupport.Ignored or StoreSupport.Refused).Select(static one => one.Name);

    private static async Task AssertIsEmptyAsync(AmazonS3Client s3)
    {
        Assert.Empty((await s3.ListObjectsAsync(new Amazon.S3.Model.ListObjectsRequest { BucketName = Bucket }).Within()).S3Objects ?? []);
    }

    private static Task<EmbeddedS3Server> StartAsync(ServerAbility[]? refused = null, ServerAbility[]? ignored = null)
        => EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket], Refuses = refused ?? [], Ignores = ignored ?? [] });

    private TransferClient New(IAmazonS3 s3, Action<RequestTiming>? observer = null) => new(s3, new TransferClientOptions
    {
        Advanced = { EnvironmentVariables = static _ => null, RequestObserver = observer },
        StateDirectory = _state.File("state"),
    });
}
