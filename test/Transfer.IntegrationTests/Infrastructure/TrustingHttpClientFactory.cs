using System.Security.Cryptography.X509Certificates;
using Amazon.Runtime;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>A factory of a user whose clients trust one certificate.</summary>
internal sealed class TrustingHttpClientFactory(X509Certificate2 certificate) : HttpClientFactory
{
    public override HttpClient CreateHttpClient(IClientConfig clientConfig)
    {
        SocketsHttpHandler handler = new() { AllowAutoRedirect = false, Proxy = clientConfig.GetWebProxy() };
        handler.SslOptions.RemoteCertificateValidationCallback = (_, presented, _, _) => presented?.GetCertHashString() == certificate.GetCertHashString();
        return new HttpClient(handler);
    }
}
