using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>A stage with a real server behind a proxy that injects the faults.</summary>
internal sealed class MinioFaultStage : FaultStage
{
    private readonly Store _store;
    private readonly FaultProxy _proxy;
    private readonly ServerFault _fault;

    private MinioFaultStage(Store store, FaultProxy proxy, ServerFault fault, TransferWire wire, bool isPatient)
        : base(proxy.Endpoint, new EnvironmentVariablesAWSCredentials(), CreateOwner, certificate: null, wire, isPatient)
    {
        _store = store;
        _proxy = proxy;
        _fault = fault;
    }

    public override string Bucket => _store.Bucket;

    public override long Struck => _proxy.Struck;

    protected override bool IsQuiet => _proxy.OpenConnections == 0;

    public static async Task<FaultStage> StartAsync(ServerFault fault, TransferWire wire, bool isPatient)
    {
        Store store = await Store.StartAsync(Store.Minio).Within();
        return new MinioFaultStage(store, new FaultProxy(new Uri(MinioStore.Endpoint!)), fault, wire, isPatient);
    }

    public override Task StrikeAsync(bool always)
    {
        _proxy.Strike(_fault, always);
        return Task.CompletedTask;
    }

    public override async Task<int> CountOpenUploadsAsync() => (await _store.OpenUploadsAsync().Within()).Count;

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        await _proxy.DisposeAsync();
        foreach (MultipartUpload upload in await _store.OpenUploadsAsync().Within())
        {
            await _store.S3.AbortMultipartUploadAsync(_store.Bucket, upload.Key, upload.UploadId).Within();
        }

        await _store.DisposeAsync().Within();
    }

    protected override string DescribeOpen() => $"{_proxy.OpenConnections} connections are open; the fault occurred {Struck} times";

    private static AmazonS3Client CreateOwner(HttpClientFactory clients) => new(
        new EnvironmentVariablesAWSCredentials(),
        new AmazonS3Config { ServiceURL = MinioStore.Endpoint, ForcePathStyle = true, AuthenticationRegion = "us-east-1", HttpClientFactory = clients });
}
