using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Amazon.Runtime;
using Transfer.Cli.Options;

namespace Transfer.Cli.Connections;

/// <summary>HTTP clients that trust the certificates of a file (AWS_CA_BUNDLE) instead of the system's.</summary>
internal sealed class CaBundleHttpClientFactory : HttpClientFactory
{
    private readonly X509Certificate2Collection _roots = [];

    public CaBundleHttpClientFactory(string path)
    {
        try
        {
            _roots.ImportFromPemFile(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException)
        {
            throw new UsageException($"AWS_CA_BUNDLE got '{path}', which can't be read: {e.Message}; it accepts a file of certificates in PEM form", e);
        }

        if (_roots.Count == 0)
        {
            throw new UsageException($"AWS_CA_BUNDLE got '{path}', which holds no certificate; it accepts a file of certificates in PEM form");
        }
    }

    public override HttpClient CreateHttpClient(IClientConfig clientConfig)
    {
        X509ChainPolicy policy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.AddRange(_roots);
#pragma warning disable CA2000 // the client owns the handler
        SocketsHttpHandler handler = new()
        {
            AllowAutoRedirect = false,
            SslOptions = new SslClientAuthenticationOptions { CertificateChainPolicy = policy },
        };
#pragma warning restore CA2000
        return new HttpClient(handler);
    }
}
