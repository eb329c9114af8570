using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Conformance;

/// <summary>Reads at any position of an object in four parts.</summary>
public sealed class SeekableObjectStreamConformanceTests : SeekableStreamConformance
{
    protected override async Task<Stream> OpenAsync()
    {
        S3.Objects[FakeS3.Key] = FakeObject.Checked(Content);
        return await NewClient().OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
    }

    protected override async Task<(Stream Stream, Action Release)?> OpenStalledAsync()
    {
        S3.Objects[FakeS3.Key] = FakeObject.Checked(Content);
        Gate gate = new();
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { Cue = gate.PassAsync };
        return (await NewClient().OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within(), gate.Open);
    }
}
