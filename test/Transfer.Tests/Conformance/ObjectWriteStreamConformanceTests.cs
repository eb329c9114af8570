using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Conformance;

public sealed class ObjectWriteStreamConformanceTests : WriteStreamConformance
{
    private const int Part = 5 * 1024 * 1024;

    protected override async Task<Stream> OpenAsync() => await NewClient().OpenWriteAsync(FakeS3.Bucket, FakeS3.Key).Within();

    protected override async Task<byte[]> FinishAsync(Stream stream)
    {
        UploadResult result = await ((ObjectWriteStream)stream).CompleteAsync().Within();
        Assert.True(result.Verdict.IsVerified);
        return S3.Published()!;
    }

    /// <summary>Opens a stream with one part in flight, which the store does not confirm.</summary>
    protected override async Task<(Stream Stream, int Room, Action Release)> OpenStalledAsync()
    {
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == S3Call.UploadPart ? gate.PassAsync(token) : Task.CompletedTask;
        UploadOptions options = new() { MaxConcurrency = 1 };
        return (await NewClient().OpenWriteAsync(FakeS3.Bucket, FakeS3.Key, options).Within(), Part, gate.Open);
    }
}
