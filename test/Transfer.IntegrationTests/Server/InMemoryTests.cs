using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

public sealed class InMemoryTests : S3Conformance
{
    protected override EmbeddedS3ServerOptions Options() => new() { Buckets = [BucketName] };
}
