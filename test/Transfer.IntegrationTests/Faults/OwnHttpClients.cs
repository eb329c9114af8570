using System.Security.Cryptography.X509Certificates;
using Amazon.Runtime;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>HTTP clients for the SDK whose connections are closed by Dispose. The SDK's own clients stay in a cache of the process.</summary>
internal sealed class OwnHttpClients(X509Certificate2? trusted) : HttpClientFactory, IDisposable
{
    private readonly Lazy<HttpClient> _client = new(() => Create(trusted));

    public override bool UseSDKHttpClientCaching(IClientConfig clientConfig) => false;

    public override bool DisposeHttpClientsAfterUse(IClientConfig clientConfig) => false;

    public override HttpClient CreateHttpClient(IClientConfig clientConfig) => _client.Value;

    public void Dispose()
    {
        if (_client.IsValueCreated)
        {
            _client.Value.Dispose();
        }
    }

    private static HttpClient Create(X509Certificate2? trusted)
    {
        SocketsHttpHandler handler = new() { AllowAutoRedirect = false };
        if (trusted is not null)
        {
            handler.SslOptions.RemoteCertificateValidationCallback = (_, presented, _, _) => presented?.GetCertHashString() == trusted.GetCertHashString();
        }

        return new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
    }
}
