using System.Net;
using System.Text;
using Amazon.Runtime;
using Transfer.Buffers;

namespace Transfer.Wire.Http;

/// <summary>What requests are sent through: a handler of our own, made from an SDK client's configuration, or a client of its factory.</summary>
internal sealed class HttpTransport : IDisposable
{
    /// <summary>Names are resolved again at least this often, so that a store's new addresses are found.</summary>
    private static readonly TimeSpan ConnectionLifetime = TimeSpan.FromMinutes(5);

    /// <summary>For all addresses of a name together, where the configuration gives no other time.</summary>
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(15);

    /// <summary>What all headers of an answer may take together: many times what S3 sends, 2 KB of metadata included.</summary>
    private const int MaxHeadersKiB = 64;

    private readonly HttpMessageInvoker _invoker;
    private readonly bool _isOurs;

    public HttpTransport(IClientConfig config, WireSettings settings)
    {
        if (config.HttpClientFactory is not { } factory)
        {
            (_invoker, _isOurs) = (new HttpMessageInvoker(NewHandler(config, settings.Time), disposeHandler: true), true);
            return;
        }

        // Whoever made a factory decided about certificates, proxies and handlers: what it makes is used as it is.
        HttpClient client = factory.CreateHttpClient(config);
        (_invoker, _isOurs) = (client, IsOurs(factory, config, client));
        if (client.Timeout != Timeout.InfiniteTimeSpan && !(_isOurs && TryRemoveTimeout(client)))
        {
            Log.HttpClientTimeout(settings.Logger, client.Timeout.TotalSeconds);
        }
    }

    /// <summary>Sends a request; its answer's body is not read yet.</summary>
    public Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        => _invoker is HttpClient client
            ? client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken)
            : _invoker.SendAsync(request, cancellationToken);

    /// <summary>
    /// Refuses the answer to a read whose body a factory's handler may have decompressed. Ranges and lengths count the bytes that are stored, and what such a handler
    /// makes of a range is neither.
    /// </summary>
    /// <remarks>
    /// A decompressed answer has no length any more, nor its coding. An answer of chunks never had a length, but a handler that decompresses has told the store so, in
    /// the request's Accept-Encoding.
    /// </remarks>
    /// <param name="response">The answer to a request that accepts nothing but <c>identity</c>.</param>
    public void CheckNotDecompressed(HttpResponseMessage response)
    {
        if (_invoker is HttpClient
            && response.Content.Headers.ContentLength is null
            && (response.Headers.TransferEncodingChunked != true || response.RequestMessage?.Headers.AcceptEncoding.Count > 1))
        {
            throw RangeAnswer.Decompressed(response.StatusCode, AnswerHeaders.RequestId(response));
        }
    }

    public void Dispose()
    {
        if (_isOurs)
        {
            _invoker.Dispose();
        }
    }

    /// <summary>
    /// Whether a factory's client is for its caller alone. The SDK disposes it after use, or caches it by itself; but factories that cache leave that
    /// setting at its default too, and then they give the same client to everybody.
    /// </summary>
    private static bool IsOurs(HttpClientFactory factory, IClientConfig config, HttpClient client)
        => factory.DisposeHttpClientsAfterUse(config) || (factory.UseSDKHttpClientCaching(config) && !ReferenceEquals(client, factory.CreateHttpClient(config)));

    private static bool TryRemoveTimeout(HttpClient client)
    {
        try
        {
            client.Timeout = Timeout.InfiniteTimeSpan; // requests have an end of their own
            return true;
        }
        catch (InvalidOperationException)
        {
            return false; // somebody has sent a request with it
        }
    }

    private static SocketsHttpHandler NewHandler(IClientConfig config, TimeProvider time)
    {
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
            ConnectCallback = async (context, cancellationToken) =>
            {
                Stream connection = await connector.ConnectAsync(context.DnsEndPoint, cancellationToken).ConfigureAwait(false);
                return CarriesTls(context.InitialRequestMessage) ? new TlsReceiveBuffer(connection, ReceiveBuffers.Shared) : connection;
            },
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

        return handler;
    }

    /// <summary>Whether a connection is for TLS: to the store itself, or through a proxy, which gets CONNECT first.</summary>
    private static bool CarriesTls(HttpRequestMessage request) => request.RequestUri?.Scheme == Uri.UriSchemeHttps || request.Method == HttpMethod.Connect;

    /// <summary>An entity tag goes back with the bytes that it came with: answers are read as Latin-1.</summary>
    private static Encoding? EncodingOf(string name, HttpRequestMessage request) => name is "If-Match" ? Encoding.Latin1 : null;
}
