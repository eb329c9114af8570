using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

public sealed class InFolderTests : S3Conformance, IDisposable
{
    private readonly TemporaryFolder _folder = new();

    protected override EmbeddedS3ServerOptions Options() => new() { Buckets = [BucketName], Directory = _folder.Path };

    public void Dispose() => _folder.Dispose();
}
