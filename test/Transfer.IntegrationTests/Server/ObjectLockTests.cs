using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>Buckets with an object lock: versions can't be deleted while they are retained or held.</summary>
public sealed class ObjectLockTests : RawServerTest
{
    private const string BucketName = "locked";
    private static readonly DateTime Until = new(2140, 1, 1, 0, 0, 0, DateTimeKind.Utc);
    private AmazonS3Client? _s3;

    private AmazonS3Client S3 => _s3 ??= Server.CreateClient();

    [Fact]
    public async Task Bucket_WithALock_KeepsVersionsAndHasADefault()
    {
        await CreateAsync();

        Assert.Equal(VersionStatus.Enabled, (await S3.GetBucketVersioningAsync(BucketName).Within()).VersioningConfig.Status);
        Assert.Null((await GetAsync()).Rule);
        Fails(await Raw.SendSignedAsync("PUT", "/locked?versioning", "<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>"u8.ToArray()), 409, "InvalidBucketState");

        Assert.Equal(200, (await ConfigureAsync("<Mode>COMPLIANCE</Mode><Years>2</Years>")).Status);
        Assert.EachEqual((ObjectLockRetentionMode.Compliance, 2, null), ((await GetAsync()).Rule.DefaultRetention.Mode, (await GetAsync()).Rule.DefaultRetention.Years, (await GetAsync()).Rule.DefaultRetention.Days));
        Assert.Equal(200, (await ConfigureAsync("<Mode>GOVERNANCE</Mode><Days>3</Days>")).Status);

        RawAnswer stored = await Raw.SendSignedAsync("PUT", "/locked/k", [1]);
        RawAnswer head = await Raw.SendSignedAsync("HEAD", "/locked/k");
        Assert.Equal("GOVERNANCE", head.Header("x-amz-object-lock-mode"));
        Assert.Equal(DateTimeOffset.Parse(head.Header("Last-Modified")!).AddDays(3), DateTimeOffset.Parse(head.Header("x-amz-object-lock-retain-until-date")!));
        Fails(await Raw.SendSignedAsync("DELETE", $"/locked/k?versionId={stored.Header("x-amz-version-id")}"), 403, "AccessDenied");
    }

    [Theory]
    [InlineData("<Mode>GOVERNANCE</Mode><Days>1</Days><Years>1</Years>", "MalformedXML")]
    [InlineData("<Mode>GOVERNANCE</Mode>", "MalformedXML")]
    [InlineData("<Days>1</Days>", "MalformedXML")]
    [InlineData("<Mode>governance</Mode><Days>1</Days>", "MalformedXML")]
    [InlineData("<Mode>GOVERNANCE</Mode><Days>0</Days>", "InvalidRetentionPeriod")]
    [InlineData("<Mode>GOVERNANCE</Mode><Years>-1</Years>", "InvalidRetentionPeriod")]
    public async Task Default_Invalid_IsRejected(string retention, string code)
    {
        await CreateAsync();
        Assert.Equal(code, (await ConfigureAsync(retention)).Code);
        Assert.Null((await GetAsync()).Rule);
    }

    [Fact]
    public async Task Bucket_WithoutALock_HasNoLocks()
    {
        await PutAsync("/bucket/k", [1]);
        Fails(await Raw.SendSignedAsync("GET", "/bucket?object-lock"), 404, "ObjectLockConfigurationNotFoundError");
        Fails(await PutXmlAsync("/bucket?object-lock", Configuration("<Mode>GOVERNANCE</Mode><Days>1</Days>")), 409, "InvalidBucketState");
        Fails(await Raw.SendSignedAsync("GET", "/bucket/k?retention"), 400, "InvalidRequest");
        Fails(await Raw.SendSignedAsync("GET", "/bucket/k?legal-hold"), 400, "InvalidRequest");
        Fails(await PutXmlAsync("/bucket/k?legal-hold", "<LegalHold><Status>ON</Status></LegalHold>"), 400, "InvalidRequest");
    }

    [Fact]
    public async Task Retention_InGovernanceMode_CanBeShortenedAndBypassedByThoseWhoAskForIt()
    {
        await CreateAsync();
        string version = (await Raw.SendSignedAsync("PUT", "/locked/k", [1])).Header("x-amz-version-id")!;
        Fails(await Raw.SendSignedAsync("GET", "/locked/k?retention"), 404, "NoSuchObjectLockConfiguration");
        Fails(await RetainAsync("GOVERNANCE", new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc)), 400, "InvalidArgument");
        Fails(await RetainAsync("governance", Until), 400, "MalformedXML");

        Assert.Equal(200, (await RetainAsync("GOVERNANCE", Until)).Status);
        Assert.Equal(200, (await RetainAsync("GOVERNANCE", Until.AddDays(1))).Status);
        Fails(await RetainAsync("GOVERNANCE", Until), 403, "AccessDenied");
        Fails(await RetainAsync("COMPLIANCE", Until.AddDays(2)), 403, "AccessDenied");
        await S3.PutObjectRetentionAsync(Retention(Until, bypass: true)).Within();
        Assert.Equal(Until, (await S3.GetObjectRetentionAsync(new GetObjectRetentionRequest { BucketName = BucketName, Key = "k" }).Within()).Retention.RetainUntilDate!.Value.ToUniversalTime());

        Assert.Equal(204, (await Raw.SendSignedAsync("DELETE", "/locked/k")).Status); // only hides it
        Fails(await Raw.SendSignedAsync("DELETE", $"/locked/k?versionId={version}"), 403, "AccessDenied");
        Assert.Equal(204, (await Raw.SendSignedAsync("DELETE", $"/locked/k?versionId={version}", null, ("x-amz-bypass-governance-retention", "true"))).Status);
    }

    [Fact]
    public async Task Retention_InComplianceMode_CanOnlyBecomeLonger()
    {
        await CreateAsync();
        string version = (await Raw.SendSignedAsync("PUT", "/locked/k", [1])).Header("x-amz-version-id")!;
        Assert.Equal(200, (await RetainAsync("COMPLIANCE", Until)).Status);

        await Assert.ThrowsAsync<AmazonS3Exception>(() => S3.PutObjectRetentionAsync(Retention(Until.AddDays(1), bypass: true)).Within()); // another mode
        Fails(await RetainAsync("COMPLIANCE", Until.AddDays(-1)), 403, "AccessDenied");
        Assert.Equal(200, (await RetainAsync("COMPLIANCE", Until.AddDays(1))).Status);
        Fails(await Raw.SendSignedAsync("DELETE", $"/locked/k?versionId={version}", null, ("x-amz-bypass-governance-retention", "true")), 403, "AccessDenied");
    }

    [Fact]
    public async Task LegalHold_UntilItEnds_KeepsTheVersion()
    {
        await CreateAsync();
        string version = (await Raw.SendSignedAsync("PUT", "/locked/k", [1])).Header("x-amz-version-id")!;
        Assert.Equal("OFF", (await Raw.SendSignedAsync("GET", "/locked/k?legal-hold")).Element("Status"));
        Fails(await PutXmlAsync("/locked/k?legal-hold", "<LegalHold><Status>on</Status></LegalHold>"), 400, "MalformedXML");

        Assert.Equal(200, (await PutXmlAsync("/locked/k?legal-hold", "<LegalHold><Status>ON</Status></LegalHold>")).Status);
        Assert.Equal("ON", (await Raw.SendSignedAsync("GET", "/locked/k?legal-hold")).Element("Status"));
        DeleteObjectsException error = await Assert.ThrowsAsync<DeleteObjectsException>(() => S3.DeleteObjectsAsync(new DeleteObjectsRequest
        {
            BucketName = BucketName,
            BypassGovernanceRetention = true,
            Objects = [new KeyVersion { Key = "k", VersionId = version }, new KeyVersion { Key = "other" }],
        }).Within());
        DeleteError held = Assert.Single(error.Response.DeleteErrors);
        Assert.EachEqual(("AccessDenied", "k", version), (held.Code, held.Key, held.VersionId));
        Assert.Equal("other", Assert.Single(error.Response.DeletedObjects).Key);

        Assert.Equal(200, (await PutXmlAsync("/locked/k?legal-hold", "<LegalHold><Status>OFF</Status></LegalHold>")).Status);
        Assert.Equal(204, (await Raw.SendSignedAsync("DELETE", $"/locked/k?versionId={version}")).Status);
    }

    private static string Configuration(string retention) =>
        $"<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention>{retention}</DefaultRetention></Rule></ObjectLockConfiguration>";

    private static PutObjectRetentionRequest Retention(DateTime until, bool bypass) => new()
    {
        BucketName = BucketName,
        Key = "k",
        BypassGovernanceRetention = bypass,
        Retention = new ObjectLockRetention { Mode = ObjectLockRetentionMode.Governance, RetainUntilDate = until },
    };

    private Task<PutBucketResponse> CreateAsync() => S3.PutBucketAsync(new PutBucketRequest { BucketName = BucketName, ObjectLockEnabledForBucket = true }).Within();

    private async Task<ObjectLockConfiguration> GetAsync() =>
        (await S3.GetObjectLockConfigurationAsync(new GetObjectLockConfigurationRequest { BucketName = BucketName }).Within()).ObjectLockConfiguration;

    private Task<RawAnswer> ConfigureAsync(string retention) => PutXmlAsync("/locked?object-lock", Configuration(retention));

    private Task<RawAnswer> RetainAsync(string mode, DateTime until) =>
        PutXmlAsync("/locked/k?retention", $"<Retention><Mode>{mode}</Mode><RetainUntilDate>{until:yyyy-MM-dd'T'HH:mm:ss'Z'}</RetainUntilDate></Retention>");
}
