using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Conformance;

/// <summary>The ordered read from a store that ignores ranges: one body, whose few chunks go round.</summary>
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
