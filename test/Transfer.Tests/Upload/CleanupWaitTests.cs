using System.Net;
using Transfer.S3.Concurrency;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>Cleanup beside other transfers, whose requests can occupy all slots for longer than the cleanup may take.</summary>
public sealed class CleanupWaitTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;

    [Fact]
    public async Task Abort_OtherTransferHasTheOnlySlot_WaitsForIt()
    {
        Gate failing = new();
        Gate other = new();
        S3.Before = async (call, token) =>
        {
            if (call is { Operation: S3Call.UploadPart, Part: 2 })
            {
                await failing.PassAsync(token);
                throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
            }

            await (call.Operation == S3Call.Put ? other.PassAsync(token) : Task.CompletedTask);
        };
        TransferClient client = NewClient(static o => o.MaxConcurrency = 1);
        RequestQueue queue = client.Context.Queue;
        Task<UploadResult> upload = client.UploadAsync(new MemoryStream(Sample.Bytes(Part + 1)), FakeS3.Bucket, FakeS3.Key);
        await failing.Reached;
        Task<UploadResult> put = client.UploadAsync(new MemoryStream([1, 2, 3]), FakeS3.Bucket, "other");
        await Deadline.Until(() => queue.Waiting == 1);

        failing.Open();
        await other.Reached;
        await Deadline.Until(() => queue.Waiting == 1); // the abort
        Time.Advance(TimeSpan.FromSeconds(20)); // longer than an abort may take
        other.Open();

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => upload.Within());
        Assert.EachEqual(("AccessDenied", true), (error.ErrorCode, error.CleanupError is null));
        Assert.False(S3.HasOpenUpload);
        await put.Within();
    }
}
