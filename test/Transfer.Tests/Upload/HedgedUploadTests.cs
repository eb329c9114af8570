using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

public sealed class HedgedUploadTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;
    private static readonly TimeSpan FirstDelay = TimeSpan.FromSeconds(5);
    private readonly Gate[] _gates = [new(), new()];
    private int _parts;
    private int _canceled;

    [Fact]
    public async Task Response_IsLate_IsSentAgain()
    {
        byte[] content = Sample.Bytes(Part, 1);
        S3.Before = GatePartsAsync;

        Task<UploadResult> upload = UploadAsync(NewHedgingClient(), content);
        await _gates[0].Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);
        await _gates[1].Reached;
        _gates[1].Open();
        UploadResult result = await upload.Within();

        Assert.Equal(content, S3.Published());
        Assert.EachEqual((4, 0, 1), (result.Statistics.Requests, result.Statistics.Retries, result.Statistics.HedgedRequests));
        Assert.Equal(1, _canceled);
    }

    [Fact]
    public async Task CallerCancels_DuringTheSecondRequest_Ends()
    {
        S3.Before = GatePartsAsync;
        using CancellationTokenSource cancel = new();
        TransferClient client = NewHedgingClient();

        Task<UploadResult> upload = UploadAsync(client, Sample.Bytes(Part, 1), null, cancel.Token);
        await _gates[0].Reached;
        await Time.AdvanceToTimerAsync(FirstDelay);
        await _gates[1].Reached;
        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => upload.Within());
        Assert.Equal(0, client.Context.Queue.InFlight);
        Assert.Equal(0, client.Context.Pool.RentedBytes);
    }

    [Fact]
    public async Task Object_IsEncryptedWithAKey_NoSecondRequest()
    {
        byte[] content = Sample.Bytes(Part, 1);
        S3.Before = GatePartsAsync;

        Task<UploadResult> upload = UploadAsync(NewHedgingClient(), content, new UploadOptions { Encryption = ObjectEncryption.Kms("key") });
        await _gates[0].Reached;
        Time.Advance(2 * FirstDelay);
        _gates[0].Open();
        UploadResult result = await upload.Within();

        Assert.EachEqual((0, 0), (result.Statistics.Retries, result.Statistics.HedgedRequests));
    }

    /// <summary>Stops the requests for part 1.</summary>
    private async Task GatePartsAsync(S3Call call, CancellationToken cancellationToken)
    {
        if (call.Operation != S3Call.UploadPart || call.Part != 1)
        {
            return;
        }

        int number = Interlocked.Increment(ref _parts);
        try
        {
            await _gates[number - 1].PassAsync(cancellationToken);
        }
        catch (OperationCanceledException)
        {
            _canceled += number;
            throw;
        }
    }

    private static Task<UploadResult> UploadAsync(TransferClient client, byte[] content, UploadOptions? options = null, CancellationToken cancellationToken = default)
        => client.UploadAsync(new System.Buffers.ReadOnlySequence<byte>(content), FakeS3.Bucket, FakeS3.Key, options, cancellationToken: cancellationToken);

    private TransferClient NewHedgingClient()
    {
        TransferClient client = NewClient(o => o.HedgeRequests = true);
        Time.SkipDelaysBelow = TimeSpan.Zero;
        return client;
    }
}
