using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Amazon.Runtime;

namespace Transfer.S3.Cli.Connections;

/// <summary>Creates HTTP clients with other rules for the store's certificate than the system's.</summary>
internal sealed class TlsHttpClientFactory : HttpClientFactory
{
    private TlsHttpClientFactory(Action<SslClientAuthenticationOptions> rules) => Rules = rules;

    /// <summary>Gets the rules, for connections that this factory doesn't create.</summary>
    public Action<SslClientAuthenticationOptions> Rules { get; }

    /// <summary>Gets the factory for the settings; null if the system's rules apply.</summary>
    public static TlsHttpClientFactory? For(ConnectionSettings settings)
        => settings.IsInsecure ? new TlsHttpClientFactory(TrustAll) : settings.CaBundle is { } file ? Trusting(CaBundle.Read(file)) : null;

    /// <summary>Creates a handler with these rules. The caller owns it.</summary>
    public SocketsHttpHandler CreateHandler()
    {
        SocketsHttpHandler handler = new() { AllowAutoRedirect = false, UseCookies = false };
        Rules(handler.SslOptions);
        return handler;
    }

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

    private static TlsHttpClientFactory Trusting(X509Certificate2Collection certificates) => new(options =>
    {
        X509ChainPolicy policy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.AddRange(certificates);
        options.CertificateChainPolicy = policy;
    });

#pragma warning disable CA5359 // requested with --insecure, and the tool warns about it every time
    private static void TrustAll(SslClientAuthenticationOptions options) => options.RemoteCertificateValidationCallback = static (_, _, _, _) => true;
#pragma warning restore CA5359
}
