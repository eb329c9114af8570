using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Conformance;

/// <summary>Ordered reads from a store that ignores ranges: a single body with a few chunks that are reused.</summary>
public sealed class SinglePartReadStreamConformanceTests : StreamConformance
{
    protected override bool HasLength => true;

    protected override async Task<Stream> OpenAsync()
    {
        S3.Objects[FakeS3.Key] = FakeObject.Checked(Content);
        S3.IgnoresRanges = true;
        return await NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
    }
}
