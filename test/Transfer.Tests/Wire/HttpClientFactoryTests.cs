using System.Net;
using Amazon.S3;
using Microsoft.Extensions.Logging;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Wire;

/// <summary>What the log says about an HttpClientFactory of the application.</summary>
public sealed class HttpClientFactoryTests : TransferTest
{
    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 0)] // the factory isn't used then
    public async Task Factory_OfTheApplication_IsLoggedOnce(bool configuresTls, int messages)
    {
        LogLines lines = new();
        using ILoggerFactory logging = LoggerFactory.Create(builder => builder.AddProvider(lines));
        using AmazonS3Client s3 = new FakeHttp(_ => FakeHttp.Answer(HttpStatusCode.OK, headers: ("ETag", "\"e\""))).NewS3();

        TransferClient client = NewClient(s3, options =>
        {
            options.LoggerFactory = logging;
            options.ConfigureTls = configuresTls ? static _ => { } : null;
        });
        if (!configuresTls)
        {
            await client.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key).Within();
            await client.GetInfoAsync(FakeHttp.Bucket, FakeHttp.Key).Within();
        }

        Assert.Equal(messages, lines.Written.Count(static line => line.StartsWith("Information: The client's HttpClientFactory (Transfer.S3.Tests.Infrastructure.FakeHttp)", StringComparison.Ordinal)));
    }

    [Fact]
    public void NoFactory_IsNotLogged()
    {
        LogLines lines = new();
        using ILoggerFactory logging = LoggerFactory.Create(builder => builder.AddProvider(lines));
        using AmazonS3Client s3 = new FakeHttp(_ => FakeHttp.Answer(HttpStatusCode.OK)).NewS3(static config => config.HttpClientFactory = null);

        NewClient(s3, options => options.LoggerFactory = logging);

        Assert.DoesNotContain(lines.Written, static line => line.Contains("HttpClientFactory", StringComparison.Ordinal));
    }
}
