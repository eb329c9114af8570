using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>Temporary credentials that were added to a server.</summary>
public sealed class TemporaryCredentialTests
{
    private const string Bucket = "bucket";

    [Theory]
    [InlineData("ASIA1", "secret", "token", null)]
    [InlineData("ASIA1", "secret", "other", "InvalidToken")]
    [InlineData("ASIA1", "secret", null, "InvalidToken")]
    [InlineData("ASIA1", "wrong", "token", "SignatureDoesNotMatch")]
    [InlineData("ASIA2", "secret", "token", "InvalidAccessKeyId")]
    [InlineData("ASIA3", "secret", "token", "ExpiredToken")]
    [InlineData("transfer", "transfer-secret", "token", "InvalidToken")]
    [InlineData("transfer", "transfer-secret", null, null)]
    public async Task Request_WithTheseKeys_IsAcceptedOrRejected(string id, string secret, string? token, string? errorCode)
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket] });
        server.AddTemporaryCredentials("ASIA1", "secret", "token", DateTimeOffset.UtcNow.AddHours(1));
        server.AddTemporaryCredentials("ASIA3", "secret", "token", DateTimeOffset.UtcNow.AddSeconds(-1));
        AWSCredentials credentials = token is null ? new BasicAWSCredentials(id, secret) : new SessionAWSCredentials(id, secret, token);
        using AmazonS3Client s3 = new(
            credentials, new AmazonS3Config { ServiceURL = server.Endpoint.ToString(), ForcePathStyle = true, AuthenticationRegion = server.Region, MaxErrorRetry = 0 });

        AmazonS3Exception? error = await Record.ExceptionAsync(() => s3.ListObjectsV2Async(new() { BucketName = Bucket }).Within()) as AmazonS3Exception;

        Assert.Equal(errorCode, error?.ErrorCode);
        Assert.Equal(errorCode, Assert.Single(server.Requests).ErrorCode);
    }

    [Fact]
    public async Task Add_KeyOfTheServer_Throws()
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync();

        Assert.Throws<ArgumentException>(() => server.AddTemporaryCredentials(server.AccessKeyId, "secret", "token"));
    }
}
