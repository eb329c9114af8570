using Amazon.Runtime;
using Amazon.S3;
using Microsoft.Extensions.Logging;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Wire;

/// <summary>Errors and warnings about the address of a store when a client is created.</summary>
public sealed class StoreAddressTests
{
    [Theory]
    [InlineData("https://user:hush@host", TransferWire.Http)]
    [InlineData("https://user:hush@host", TransferWire.Sdk)]
    [InlineData("http://hush@localhost:9000/", TransferWire.Http)]
    [InlineData("https://host/?X-Amz-Signature=hush", TransferWire.Http)]
    public void Address_WithSecrets_IsRejectedWithoutShowingThem(string url, TransferWire wire)
    {
        using AmazonS3Client s3 = Client(url);

        ArgumentException e = Assert.Throws<ArgumentException>(() => new TransferClient(s3, new TransferClientOptions { Advanced = { Wire = wire } }));

        Assert.Contains("ServiceURL has a user name or a query", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("hush", e.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("http://store:9000", true)]
    [InlineData("http://192.0.2.1", true)]
    [InlineData("http://127.0.0.1:9000", false)]
    [InlineData("http://[::1]:9000", false)]
    [InlineData("http://localhost", false)]
    [InlineData("https://store", false)]
    public async Task PlainHttp_ToAnotherMachine_WarnsOncePerClient(string url, bool expected)
    {
        foreach (TransferWire wire in (TransferWire[])[TransferWire.Http, TransferWire.Sdk])
        {
            using AmazonS3Client s3 = Client(url);
            using LogLines lines = new();
            using LoggerFactory factory = new([lines]);

            await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire, EnvironmentVariables = _ => null }, LoggerFactory = factory });

            Assert.Equal(expected ? ["Warning: Requests are sent over plain HTTP. Anyone on the network path can read and change what is sent"] : [], lines.Written.Where(line => line.StartsWith("Warning", StringComparison.Ordinal)));
        }
    }

    private static AmazonS3Client Client(string url)
        => new(new BasicAWSCredentials("a", "b"), new AmazonS3Config { ServiceURL = url, ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
}
