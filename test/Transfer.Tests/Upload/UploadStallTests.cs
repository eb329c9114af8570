using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>Stores that stop responding during an upload. The upload retries, or determines the result.</summary>
public sealed class UploadStallTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;
    private static readonly TimeSpan Stall = TimeSpan.FromSeconds(45);

    [Theory]
    [InlineData(S3Call.Put, 100)]
    [InlineData(S3Call.Create, Part + 1)]
    [InlineData(S3Call.UploadPart, Part + 1)]
    public async Task Request_NoResponse_IsRetriedAfterTheStallTimeout(string operation, int size)
    {
        byte[] content = Sample.Bytes(size);
        Gate gate = LeaveUnanswered(operation);

        // One part at a time, because a second one in flight would stall with the first.
        Task<UploadResult> upload = NewClient(o => o.StallTimeout = Stall).UploadAsync(
            new MemoryStream(content), FakeS3.Bucket, FakeS3.Key, new UploadOptions { MaxConcurrency = 1 });
        await gate.Reached.Within();

        Time.Advance(Stall - TimeSpan.FromMilliseconds(1));
        Assert.False(upload.IsCompleted);
        Time.Advance(TimeSpan.FromMilliseconds(1));

        UploadResult result = await upload.Within();
        Assert.Equal(content, S3.Published());
        Assert.Equal(1, result.Statistics.Retries);
    }

    [Fact]
    public async Task Complete_HasATimeoutOfTenMinutes()
    {
        byte[] content = Sample.Bytes(Part + 1);
        Gate gate = LeaveUnanswered(S3Call.Complete);
        Task<UploadResult> upload = NewClient(o => o.StallTimeout = Stall).UploadAsync(new MemoryStream(content), FakeS3.Bucket, FakeS3.Key);
        await gate.Reached.Within();

        Time.Advance(TimeSpan.FromMinutes(10) - TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, S3.GetCount(S3Call.Complete));
        Time.Advance(TimeSpan.FromMilliseconds(1));

        Assert.True((await upload.Within()).Verdict.IsVerified);
        Assert.Equal(2, S3.GetCount(S3Call.Complete));
    }

    [Fact]
    public async Task Complete_NoResponse_IsConfirmedByTheObject()
    {
        byte[] content = Sample.Bytes(Part + 1);
        Gate gate = LeaveUnanswered(S3Call.Complete, () => S3.Objects[FakeS3.Key] = FakeObject.Checked(content));
        Task<UploadResult> upload = NewClient(o => o.MaxAttempts = 1).UploadAsync(new MemoryStream(content), FakeS3.Bucket, FakeS3.Key);
        await gate.Reached.Within();

        Time.Advance(TimeSpan.FromMinutes(10));

        Assert.True((await upload.Within()).Verdict.IsVerified);
        Assert.EachEqual((1, false), (S3.GetCount(S3Call.Abort), S3.HasOpenUpload)); // the upload may still exist, because only the object shows that it was published
    }

    /// <summary>Doesn't answer the first call of an operation, whatever the store has done with it.</summary>
    private Gate LeaveUnanswered(string operation, Action? done = null)
    {
        Gate gate = new();
        int calls = 0;
        S3.Before = (call, token) =>
        {
            if (call.Operation != operation || Interlocked.Increment(ref calls) > 1)
            {
                return Task.CompletedTask;
            }

            done?.Invoke();
            return gate.PassAsync(token);
        };
        return gate;
    }
}
