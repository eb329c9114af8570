using System.Net;
using System.Text;
using Amazon.Runtime;

namespace Transfer.Wire.Http;

/// <summary>Makes what requests are sent through, from an SDK client's configuration.</summary>
internal static class HttpTransport
{
    /// <summary>Names are resolved again at least this often, so that a store's new addresses are found.</summary>
    private static readonly TimeSpan ConnectionLifetime = TimeSpan.FromMinutes(5);

    /// <summary>For all addresses of a name together, where the configuration gives no other time.</summary>
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(15);

    /// <summary>What all headers of an answer may take together: many times what S3 sends, 2 KB of metadata included.</summary>
    private const int MaxHeadersKiB = 64;

    public static HttpMessageInvoker Create(IClientConfig config, TimeProvider time)
    {
        // Whoever made a factory decided about certificates, proxies and handlers: it is used as it is.
        if (config.HttpClientFactory is { } factory)
        {
            HttpClient client = factory.CreateHttpClient(config);
            client.Timeout = Timeout.InfiniteTimeSpan;
            return client;
        }

        AddressConnector connector = AddressConnector.Create(time);
        SocketsHttpHandler handler = new()
        {
            AllowAutoRedirect = false, // a redirect must be signed anew
            AutomaticDecompression = DecompressionMethods.None, // ranges and lengths count stored bytes
            UseCookies = false,
            ActivityHeadersPropagator = null,
            MaxResponseHeadersLength = MaxHeadersKiB,
            PooledConnectionLifetime = ConnectionLifetime,
            ConnectTimeout = config.ConnectTimeout ?? ConnectTimeout,
            ConnectCallback = (context, cancellationToken) => connector.ConnectAsync(context.DnsEndPoint, cancellationToken),
            RequestHeaderEncodingSelector = EncodingOf,
            DefaultProxyCredentials = config.ProxyCredentials, // for a proxy that the environment names
        };
        if (config.MaxConnectionsPerServer is { } connections)
        {
            handler.MaxConnectionsPerServer = connections;
        }

        if (config.GetWebProxy() is { } proxy)
        {
            proxy.Credentials ??= config.ProxyCredentials;
            handler.Proxy = proxy;
        }

        return new HttpMessageInvoker(handler, disposeHandler: true);
    }

    /// <summary>An entity tag goes back with the bytes that it came with: answers are read as Latin-1.</summary>
    private static Encoding? EncodingOf(string name, HttpRequestMessage request) => name is "If-Match" ? Encoding.Latin1 : null;
}
