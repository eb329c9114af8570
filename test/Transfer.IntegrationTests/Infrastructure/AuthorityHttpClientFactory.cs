using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Amazon.Runtime;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>A factory of a user whose clients trust the given authorities instead of those of the system.</summary>
internal sealed class AuthorityHttpClientFactory(params X509Certificate2[] trusted) : HttpClientFactory
{
    public override HttpClient CreateHttpClient(IClientConfig clientConfig)
    {
        X509ChainPolicy policy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.AddRange(trusted);
        return new HttpClient(new SocketsHttpHandler { AllowAutoRedirect = false, SslOptions = new SslClientAuthenticationOptions { CertificateChainPolicy = policy } });
    }
}
