using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Amazon.Runtime;

namespace Transfer.Cli.Connections;

/// <summary>Creates HTTP clients with other rules for the store's certificate than the system's.</summary>
internal sealed class TlsHttpClientFactory : HttpClientFactory
{
    private readonly Func<SslClientAuthenticationOptions> _rules;

    private TlsHttpClientFactory(Func<SslClientAuthenticationOptions> rules) => _rules = rules;

    /// <summary>Gets the factory for the settings; null if the system's rules apply.</summary>
    public static TlsHttpClientFactory? For(ConnectionSettings settings)
        => settings.IsInsecure ? new TlsHttpClientFactory(Nothing) : settings.CaBundle is { } file ? Trusting(CaBundle.Read(file)) : null;

    /// <summary>Creates a handler with these rules. The caller owns it.</summary>
    public SocketsHttpHandler CreateHandler() => new() { AllowAutoRedirect = false, UseCookies = false, SslOptions = _rules() };

    public override HttpClient CreateHttpClient(IClientConfig clientConfig)
    {
#pragma warning disable CA2000 // the client owns the handler
        SocketsHttpHandler handler = CreateHandler();
#pragma warning restore CA2000
        if (clientConfig.ConnectTimeout is { } timeout)
        {
            handler.ConnectTimeout = timeout;
        }

        return new HttpClient(handler);
    }

    private static TlsHttpClientFactory Trusting(X509Certificate2Collection certificates) => new(() =>
    {
        X509ChainPolicy policy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.AddRange(certificates);
        return new SslClientAuthenticationOptions { CertificateChainPolicy = policy };
    });

#pragma warning disable CA5359 // requested with --insecure, and the tool warns about it every time
    private static SslClientAuthenticationOptions Nothing() => new() { RemoteCertificateValidationCallback = static (_, _, _, _) => true };
#pragma warning restore CA5359
}
