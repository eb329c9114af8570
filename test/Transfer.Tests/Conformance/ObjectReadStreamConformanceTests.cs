using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Conformance;

/// <summary>Ordered reads of an object in four parts.</summary>
public sealed class ObjectReadStreamConformanceTests : StreamConformance
{
    protected override bool HasLength => true;

    protected override async Task<Stream> OpenAsync()
    {
        S3.Objects[FakeS3.Key] = FakeObject.Checked(Content);
        return await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
    }

    protected override async Task<(Stream Stream, Action Release)?> OpenStalledAsync()
    {
        S3.Objects[FakeS3.Key] = FakeObject.Checked(Content);
        Gate gate = new();
        S3.Body = (call, bytes) => new ScriptedStream(bytes) { Cue = call.First == 0 ? gate.PassAsync : null };
        return (await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within(), gate.Open);
    }
}
