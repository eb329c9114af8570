using Transfer.S3.Buffers;

namespace Transfer.S3.Tests.Conformance;

public sealed class BodyStreamConformanceTests : StreamConformance
{
    protected override bool CanSeek => true;

    protected override bool HasLength => true;

    protected override Task<Stream> OpenAsync() => Task.FromResult<Stream>(new BodyStream(new SequenceBytes(Sample.Sequence(Content, 4096))));
}
