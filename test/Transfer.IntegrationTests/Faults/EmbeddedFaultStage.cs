using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using Amazon.Runtime;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>A stage with an embedded server, which injects the faults itself.</summary>
internal sealed class EmbeddedFaultStage : FaultStage
{
    private static readonly string[] Operations =
    [
        "GetObject", "HeadObject", "GetObjectAttributes", "PutObject", "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload", "AbortMultipartUpload", "CopyObject",
        "UploadPartCopy", "ListObjectsV2", "ListMultipartUploads", "ListParts",
    ];

    private readonly EmbeddedS3Server _server;
    private readonly X509Certificate2? _certificate;
    private readonly ServerFault _fault;

    private EmbeddedFaultStage(EmbeddedS3Server server, X509Certificate2? certificate, ServerFault fault, TransferWire wire, bool isPatient, long? memoryBytes)
        : base(
            server.Endpoint,
            new BasicAWSCredentials(server.AccessKeyId, server.SecretAccessKey),
            clients => server.CreateClient(config => config.HttpClientFactory = clients),
            certificate,
            wire,
            isPatient,
            sdkRetries: fault == ServerFault.SkewClock ? 1 : 0, // the SDK corrects its clock when it retries
            memoryBytes: memoryBytes)
    {
        _server = server;
        _certificate = certificate;
        _fault = fault;
    }

    public override long Struck => _server.Statistics.FaultCount(_fault);

    protected override bool IsQuiet => _server.Statistics is { OpenConnections: 0, ActiveRequests: 0 };

    public static Task<FaultStage> StartAsync(ServerFault fault, TransferWire wire, bool isPatient) => StartAsync(fault, wire, isPatient, null);

    public static async Task<FaultStage> StartAsync(ServerFault fault, TransferWire wire, bool isPatient, long? memoryBytes)
    {
        X509Certificate2? certificate = fault == ServerFault.FailHandshake ? TestCertificate.Create() : null;
        EmbeddedS3ServerOptions options = new()
        {
            Buckets = ["bucket", Bystanders.Bucket],
            Certificate = certificate,
            Host = certificate is null ? LoopbackAddress.Next() : "127.0.0.1", // see ClockedServer: the fault SkewClock is such a clock, too
        };
        return new EmbeddedFaultStage(await EmbeddedS3Server.StartAsync(options).Within(), certificate, fault, wire, isPatient, memoryBytes);
    }

    public override async Task StrikeAsync(bool always)
    {
        _server.SetFaults(Plan(_fault, always));
        if (IsOfConnections(_fault))
        {
            // No request reuses a connection from before the fault. One that occurs once may affect a reader that reads ahead, whose next connections stay open.
            await Deadline.Until(() => _server.Statistics.OpenConnections == 0 || (!always && Struck > 0), DescribeOpen);
        }
    }

    public override Task<int> CountOpenUploadsAsync() => Task.FromResult(_server.Statistics.OpenMultipartUploads);

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        await _server.DisposeAsync().Within();
        _certificate?.Dispose();
    }

    protected override string DescribeOpen() => string.Create(
        CultureInfo.InvariantCulture,
        $"{_server.Statistics.OpenConnections} of {_server.Statistics.AcceptedConnections} connections are open, with {_server.Statistics.ActiveRequests} requests; the fault occurred {Struck} times");

    protected override void Calm()
    {
        if (_fault != ServerFault.SkewClock)
        {
            _server.SetFaults(null); // a clock that the SDK has adapted to is not changed
        }
    }

    private static bool IsOfConnections(ServerFault fault) => fault is ServerFault.RefuseConnection or ServerFault.FailHandshake;

    /// <summary>
    /// Creates the rules. A fault that occurs once affects the first request of every kind, and a later request of those that are sent for each part.
    /// </summary>
    private static FaultPlan Plan(ServerFault fault, bool always)
    {
        if (IsOfConnections(fault))
        {
            return new FaultPlan { Rules = [new FaultRule(fault) { Times = always ? null : 1 }] };
        }

        // The store has ten minutes to complete an upload or a copy, which is too long for a test.
        bool stalls = fault is ServerFault.StallHeaders or ServerFault.StallBody;
        IEnumerable<string> struck = Operations.Where(operation => !stalls || operation is not ("CompleteMultipartUpload" or "CopyObject" or "UploadPartCopy"));
        List<FaultRule> rules = [.. struck.Select(operation => new FaultRule(fault) { Operation = operation, Times = always ? null : 1 })];
        if (!always)
        {
            rules.Add(new FaultRule(fault) { Operation = "GetObject", After = 1 });
            if (fault != ServerFault.FlipUpload)
            {
                rules.Add(new FaultRule(fault) { Operation = "UploadPart", After = 1 }); // a damaged part is sent again once, but not twice
            }
        }

        return new FaultPlan { Rules = rules };
    }
}
