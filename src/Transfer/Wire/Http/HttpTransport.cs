using System.Net;
using Amazon.Runtime;

namespace Transfer.Wire.Http;

/// <summary>Makes what requests are sent through, from an SDK client's configuration.</summary>
internal static class HttpTransport
{
    /// <summary>Names are resolved again at least this often, so that a store's new addresses are found.</summary>
    private static readonly TimeSpan ConnectionLifetime = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(10);

    public static HttpMessageInvoker Create(IClientConfig config)
    {
        // Whoever made a factory decided about certificates, proxies and handlers: it is used as it is.
        if (config is ClientConfig { HttpClientFactory: { } factory })
        {
            HttpClient client = factory.CreateHttpClient(config);
            client.Timeout = Timeout.InfiniteTimeSpan;
            return client;
        }

        SocketsHttpHandler handler = new()
        {
            AllowAutoRedirect = false, // a redirect must be signed anew
            AutomaticDecompression = DecompressionMethods.None, // ranges and lengths count stored bytes
            UseCookies = false,
            ActivityHeadersPropagator = null,
            PooledConnectionLifetime = ConnectionLifetime,
            ConnectTimeout = ConnectTimeout,
        };
        if (config.GetWebProxy() is { } proxy)
        {
            handler.Proxy = proxy;
        }

        return new HttpMessageInvoker(handler, disposeHandler: true);
    }
}
