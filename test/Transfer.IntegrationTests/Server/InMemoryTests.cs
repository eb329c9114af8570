using Transfer.Server;

namespace Transfer.IntegrationTests.Server;

public sealed class InMemoryTests : S3Conformance
{
    protected override EmbeddedS3ServerOptions Options() => new() { Buckets = [BucketName] };
}
