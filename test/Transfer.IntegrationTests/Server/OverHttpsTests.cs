using System.Security.Cryptography.X509Certificates;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Server;

public sealed class OverHttpsTests : S3Conformance, IDisposable
{
    private readonly X509Certificate2 _certificate = TestCertificate.Create();

    protected override EmbeddedS3ServerOptions Options() => new() { Buckets = [BucketName], Certificate = _certificate };

    public void Dispose() => _certificate.Dispose();
}
