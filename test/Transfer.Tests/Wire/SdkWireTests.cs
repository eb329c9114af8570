using Amazon.S3;
using Amazon.S3.Model;
using Moq;
using Transfer.Tests.Infrastructure;
using Transfer.Wire;
using Transfer.Wire.Sdk;

namespace Transfer.Tests.Wire;

public class SdkWireTests
{
    [Fact]
    public async Task Attributes_OfASdkThatDoesNotHearOfCancellation_EndWithIt()
    {
        Mock<IAmazonS3> s3 = new();
        s3.Setup(client => client.GetObjectAttributesAsync(It.IsAny<GetObjectAttributesRequest>(), It.IsAny<CancellationToken>()))
            .Returns(new TaskCompletionSource<GetObjectAttributesResponse>().Task);
        using SdkWire wire = new(s3.Object, PayloadSigning.Auto);
        using CancellationTokenSource cancel = new();
        Task<StoredChecksum?> asking = wire.GetAttributesChecksumAsync(new ObjectAddress("bucket", "key"), null, cancel.Token);

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asking.Within());
    }
}
