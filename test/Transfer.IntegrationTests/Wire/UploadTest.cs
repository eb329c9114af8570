using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>The base of tests that upload to a scripted store: both protocols, a single PUT, and many parts.</summary>
public abstract class UploadTest : WireTest
{
    private protected const int Part = 5 << 20;

    /// <summary>Content that is uploaded in one PUT.</summary>
    private protected static readonly byte[] Small = Sample.Bytes(1000);

    /// <summary>Content that is uploaded in three parts.</summary>
    private protected static readonly byte[] Large = Sample.Bytes((2 * Part) + 1);

    public static TheoryData<TransferWire> Wires => [TransferWire.Http, TransferWire.Sdk];

    public static TheoryData<TransferWire, bool> WiresAndSizes => new()
    {
        { TransferWire.Http, false },
        { TransferWire.Http, true },
        { TransferWire.Sdk, false },
        { TransferWire.Sdk, true },
    };

    internal static async Task<UploadResult> UploadAsync(
        ScriptedServer server, byte[] content, UploadOptions? options = null, TransferWire wire = TransferWire.Http, int attempts = 1, Action<TransferClientOptions>? configure = null)
    {
        using AmazonS3Client s3 = S3(server.Url);
        TransferClientOptions clientOptions = new() { Advanced = { Wire = wire }, MaxAttempts = attempts, UploadPartSizeBytes = Part, MultipartThresholdBytes = Part };
        configure?.Invoke(clientOptions);
        await using TransferClient client = new(s3, clientOptions);
        UploadResult result = await client.UploadAsync(new MemoryStream(content), Bucket, Key, options).Within();
        Assert.Equal(0, client.RentedBytes);
        return result;
    }
}
