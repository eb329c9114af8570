using System.Security.Cryptography.X509Certificates;
using Amazon.Runtime;

namespace Transfer.S3.Server.Hosting;

/// <summary>Creates HTTP clients that trust only one certificate, so that a test certificate need not be trusted by the machine.</summary>
internal sealed class PinnedHttpClientFactory(X509Certificate2 certificate) : HttpClientFactory
{
    private readonly byte[] _trusted = certificate.RawData;

    public override HttpClient CreateHttpClient(IClientConfig clientConfig)
    {
        var handler = new SocketsHttpHandler { AllowAutoRedirect = false };
        handler.SslOptions.RemoteCertificateValidationCallback = (_, presented, _, _) =>
            presented is not null && presented.GetRawCertData().AsSpan().SequenceEqual(_trusted);
        if (clientConfig.MaxConnectionsPerServer is int connections)
        {
            handler.MaxConnectionsPerServer = connections;
        }

        return new HttpClient(handler, disposeHandler: true);
    }
}
