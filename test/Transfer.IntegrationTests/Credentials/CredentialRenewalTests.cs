using System.Diagnostics;
using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.Cli.Credentials;
using Transfer.S3.IntegrationTests.Cli;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Credentials;

/// <summary>Transfers that take much longer than the lifetime of their credentials.</summary>
public sealed class CredentialRenewalTests : CredentialTest
{
    private const string Role = "[profile p]\nrole_arn = arn:aws:iam::123456789012:role/one\nsource_profile = base\n";

    [Fact]
    public async Task Transfers_OfAMinuteWithCredentialsThatLiveThreeSeconds_HaveNoFailure()
    {
        const int steps = 600;
        FakeTimeProvider time = new(DateTimeOffset.UnixEpoch.AddYears(50));
        await using EmbeddedS3Server server = await ClockedServer.StartAsync(time, new EmbeddedS3ServerOptions { Buckets = [Bucket] });
        int issued = 0;
        using RenewedCredentials credentials = new(
            () =>
            {
                (string id, DateTimeOffset expires) = ($"issued-{Interlocked.Increment(ref issued)}", time.GetUtcNow().AddSeconds(3));
                server.AddTemporaryCredentials(id, "secret-" + id, "token-" + id, expires);
                return Task.FromResult(new RefreshingAWSCredentials.CredentialsRefreshState(new ImmutableCredentials(id, "secret-" + id, "token-" + id), expires.UtcDateTime));
            },
            time);
        using AmazonS3Client s3 = new(credentials, new AmazonS3Config { ServiceURL = server.Endpoint.ToString(), ForcePathStyle = true, AuthenticationRegion = server.Region });
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { TimeProvider = time }, MaxAttempts = 1 });
        byte[] content = Sample.Bytes(1000);
        for (int step = 0; step < steps; step++)
        {
            await Task.WhenAll(Enumerable.Range(0, 4).Select(async number =>
            {
                await client.UploadAsync(new MemoryStream(content), Bucket, $"key-{number}");
                using MemoryStream copy = new();
                await client.DownloadAsync(Bucket, $"key-{number}", copy);
                Assert.Equal(content, copy.ToArray());
            })).Within();
            time.Advance(TimeSpan.FromMilliseconds(100));
        }

        Assert.DoesNotContain(server.Requests, request => request.ErrorCode is not null);
        Assert.InRange(issued, 20, 50);
    }

    [Fact]
    public async Task Copy_WithRoleOfTheProfile_RequestsItsCredentialsOnce()
    {
        byte[] content = Sample.Bytes(40 << 20);
        await PutAsync("big", content);
        await ConfigureAsync(Role);

        (await RunAsync("cp", "--profile", "p", $"s3://{Bucket}/big", GetPath("copy"))).Expect(0);

        Assert.Equal(content, await File.ReadAllBytesAsync(GetPath("copy")));
        Assert.Equal(1, Aws.Issued);
    }

    [LongFact]
    public async Task Copies_OfAMinuteWithCredentialsThatLiveThreeSeconds_HaveNoFailure()
    {
        byte[] content = Sample.Bytes(10 << 20);
        await PutAsync("big", content);
        await ConfigureAsync(Role);
        Aws.Lifetime = TimeSpan.FromSeconds(3);
        int copies = 0;
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started) < TimeSpan.FromSeconds(60))
        {
            ToolOutcome down = (await RunAsync("cp", "--json", "--profile", "p", "--limit-rate", "1MiB", "--concurrency", "1", "--part-size", "1MiB", $"s3://{Bucket}/big", GetPath($"copy-{copies}"))).Expect(0);
            ToolOutcome up = (await RunAsync("cp", "--json", "--profile", "p", "--limit-rate", "1MiB", "--concurrency", "1", "--part-size", "5MiB", GetPath($"copy-{copies}"), $"s3://{Bucket}/up")).Expect(0);
            Assert.EachEqual((0, 0), (down.Json.GetProperty("retries").GetInt32(), up.Json.GetProperty("retries").GetInt32()));
            Assert.Equal(content, await GetAsync("up"));
            copies++;
        }

        // A busy machine can delay a request until its token has expired. It is then sent again with a new one, without a retry.
        Assert.All(Server.Requests, static request => Assert.True(request.ErrorCode is null or "ExpiredToken", $"{request}"));
        Assert.InRange(Server.Requests.Count(static request => request.ErrorCode is not null), 0, copies);

        // Each request takes a second or more, so some lifetimes pass without one.
        Assert.InRange(Aws.Issued, 15, 60);
    }
}
