using System.Runtime.Versioning;
using Amazon.S3;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Requests;

/// <summary>Requests wait for a slot rather than for a connection. A wait for a connection looks like a store that doesn't respond.</summary>
public sealed class ConnectionLimitTests : TransferTest
{
    private const int Part = 64 * 1024;

    [Theory]
    [InlineData(null, null, 256, 256)]
    [InlineData(null, 100, 100, 100)]
    [InlineData(null, 12, 12, 12)]
    [InlineData(null, 2, 2, 2)]
    [InlineData(8, 2, 2, 2)]
    [InlineData(3, 8, 3, 3)]
    [InlineData(null, 0, 1, 1)]
    public void Concurrency_IsAtMostTheNumberOfConnections(int? concurrency, int? connections, int slots, int uploads)
    {
        ClientSettings settings = ClientSettings.From(new TransferClientOptions { MaxConcurrency = concurrency, Advanced = { EnvironmentVariables = _ => null } }, connections);

        Assert.EachEqual((slots, uploads), (settings.MaxConcurrency, settings.MaxUploadConcurrency));
    }

    [Fact]
    public void UploadConcurrency_Configured_IsUnchanged()
        => Assert.Equal(8, ClientSettings.From(new TransferClientOptions { MaxUploadConcurrency = 8, Advanced = { EnvironmentVariables = _ => null } }, 2).MaxUploadConcurrency);

    /// <summary>Each request can need a socket and a file. Configured values are unchanged.</summary>
    [Theory]
    [InlineData(0, 4)]
    [InlineData(136, 4)]
    [InlineData(138, 5)]
    [InlineData(638, 255)]
    [InlineData(640, 256)]
    [InlineData(1_000_000, 256)]
    public void OpenFileLimit_LimitsTheDefaults(long openFiles, int expected)
    {
        TransferClientOptions options = new() { Advanced = { EnvironmentVariables = _ => null } };
        Assert.Equal(expected, ClientSettings.From(options, mostOpenFiles: openFiles).MaxConcurrency);
        Assert.Equal(expected, ClientSettings.From(options, mostOpenFiles: openFiles).MaxUploadConcurrency);
        options.MaxConcurrency = 500;
        Assert.Equal(500, ClientSettings.From(options, mostOpenFiles: openFiles).MaxConcurrency);
    }

    [LinuxFact]
    [SupportedOSPlatform("linux")]
    public void OpenFiles_OfThisProcess_AreKnown() => Assert.InRange(Libc.MostOpenFiles ?? 0, 64, long.MaxValue);

    [Fact]
    public async Task Download_FewConnections_LimitsTheRequestsInFlight()
    {
        byte[] content = S3.Put(20 * Part);
        ((AmazonS3Config)S3.Client.Config).MaxConnectionsPerServer = 2;
        TransferClient client = NewClient(o => o.MaxConcurrency = 8);
        InProgress requests = new();
        S3.Before = async (_, token) =>
        {
            requests.Enter();
            await Task.Yield();
            token.ThrowIfCancellationRequested();
        };
        S3.Body = (_, bytes) => new CountedStream(bytes, requests.Leave);
        MemoryStream target = new();

        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Verify = false }).Within();

        Assert.Equal(content, target.ToArray());
        Assert.InRange(requests.Most, 1, 2);
    }

    private sealed class CountedStream(ReadOnlyMemory<byte> content, Action ended) : MemoryStream(content.ToArray())
    {
        private Action? _ended = ended;

        protected override void Dispose(bool disposing)
        {
            Interlocked.Exchange(ref _ended, null)?.Invoke();
            base.Dispose(disposing);
        }
    }
}
