using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Copy;

/// <summary>Multipart copies whose result is unknown from the response. The object under the key counts only if it is this copy.</summary>
public sealed class CopyPublishingTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;
    private static readonly CopyOptions InParts = new() { PartSizeBytes = Part, MultipartThresholdBytes = Part };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task CopyAsync_StoreFailsAndAnOlderObjectHasTheSameBytes_Throws(bool losesAnswers)
    {
        byte[] content = S3.Put("source", Part + 5);
        Time.Advance(TimeSpan.FromDays(1));
        S3.Objects[FakeS3.Key] = FakeObject.Checked(content) with { LastModified = DateTimeOffset.UnixEpoch };
        S3.Before = (call, _) => call.Operation == S3Call.Complete ? throw (losesAnswers ? new IOException("reset") : FakeS3.Busy()) : Task.CompletedTask;

        await Assert.ThrowsAsync<TransferException>(() => CopyAsync());

        Assert.False(S3.HasOpenUpload);
    }

    [Fact]
    public async Task CopyAsync_ResponseIsLost_IsConfirmedByTheObjectAndTheUploadIsAborted()
    {
        byte[] content = S3.Put("source", Part + 5);
        S3.Before = (call, _) =>
        {
            if (call.Operation != S3Call.Complete)
            {
                return Task.CompletedTask;
            }

            S3.Objects[FakeS3.Key] = FakeObject.Checked(content) with { LastModified = Time.GetUtcNow() };
            throw new IOException("reset");
        };

        CopyResult result = await CopyAsync();

        Assert.True(result.Verdict.IsVerified);
        Assert.EachEqual((1, false), (S3.GetCount(S3Call.Abort), S3.HasOpenUpload));
    }

    private Task<CopyResult> CopyAsync() => NewClient(o => o.MaxAttempts = 2).CopyAsync(new(FakeS3.Bucket, "source"), new(FakeS3.Bucket, FakeS3.Key), InParts).Within();
}
