using System.Net;
using System.Text;
using Amazon.Runtime;
using Transfer.S3.Buffers;

namespace Transfer.S3.Wire.Http;

/// <summary>Sends requests with a handler that is created from an SDK client's configuration, or with a client from its HttpClientFactory.</summary>
internal sealed class HttpTransport : IDisposable
{
    /// <summary>The maximum age of a connection. Names are resolved again at least this often, so that new addresses of a store are used.</summary>
    private static readonly TimeSpan ConnectionLifetime = TimeSpan.FromMinutes(5);

    /// <summary>The timeout for all addresses of a name together, if the configuration specifies none.</summary>
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(15);

    /// <summary>The maximum size of all headers of a response: many times what S3 sends, including 2 KB of metadata.</summary>
    private const int MaxHeadersKiB = 64;

    private readonly HttpMessageInvoker _invoker;
    private readonly bool _isOurs;

    public HttpTransport(IClientConfig config, WireSettings settings)
    {
        if (config.HttpClientFactory is not { } factory || settings.ConfigureTls is not null)
        {
            HttpMessageHandler handler = NewHandler(config, settings);
            (_invoker, _isOurs) = (new HttpMessageInvoker(settings.WrapHandler?.Invoke(handler) ?? handler, disposeHandler: true), true);
            return;
        }

        // A factory specifies certificates, proxies, and handlers, so its client is used unchanged.
        Log.HttpClientFactory(settings.Logger, factory.GetType().FullName!);
        HttpClient client = factory.CreateHttpClient(config);
        (_invoker, _isOurs) = (client, IsOurs(factory, config, client));
        if (client.Timeout != Timeout.InfiniteTimeSpan && !(_isOurs && TryRemoveTimeout(client)))
        {
            Log.HttpClientTimeout(settings.Logger, client.Timeout.TotalSeconds);
        }
    }

    /// <summary>Gets a value that indicates whether a factory provides the client, which can have a timeout of its own.</summary>
    public bool IsOfFactory => _invoker is HttpClient;

    /// <summary>Sends a request, and returns the response before its body is read.</summary>
    public Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        => _invoker is HttpClient client
            ? client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken)
            : _invoker.SendAsync(request, cancellationToken);

    /// <summary>
    /// Rejects the response to a read if a handler of the factory may have decompressed its body. Ranges and lengths refer to the stored bytes, which such a body
    /// doesn't contain.
    /// </summary>
    /// <remarks>
    /// A decompressed response no longer has a Content-Length or a Content-Encoding. A chunked response never has a Content-Length, but a handler that
    /// decompresses adds its encodings to the Accept-Encoding header of the request.
    /// </remarks>
    /// <param name="response">The response to a request that accepts only <c>identity</c>.</param>
    public void CheckNotDecompressed(HttpResponseMessage response)
    {
        if (_invoker is HttpClient
            && response.Content.Headers.ContentLength is null
            && (response.Headers.TransferEncodingChunked != true || response.RequestMessage?.Headers.AcceptEncoding.Count > 1))
        {
            throw ReceivedRange.Decompressed(response.StatusCode, S3ResponseHeaders.RequestId(response));
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
    /// Returns whether a factory's client is used by this transport alone: the SDK would dispose it after use, or cache it. Factories that cache clients
    /// themselves leave that setting at its default too, but return the same client to every caller.
    /// </summary>
    private static bool IsOurs(HttpClientFactory factory, IClientConfig config, HttpClient client)
        => factory.DisposeHttpClientsAfterUse(config) || (factory.UseSDKHttpClientCaching(config) && !ReferenceEquals(client, factory.CreateHttpClient(config)));

    private static bool TryRemoveTimeout(HttpClient client)
    {
        try
        {
            client.Timeout = Timeout.InfiniteTimeSpan; // requests have their own timeouts
            return true;
        }
        catch (InvalidOperationException)
        {
            return false; // a request was already sent with it
        }
    }

    private static SocketsHttpHandler NewHandler(IClientConfig config, WireSettings settings)
    {
        AddressConnector connector = AddressConnector.Create(settings.Time);
        settings.Link.Link = connector;
        SocketsHttpHandler handler = new()
        {
            AllowAutoRedirect = false, // a redirected request needs a new signature
            AutomaticDecompression = DecompressionMethods.None, // ranges and lengths refer to stored bytes
            UseCookies = false,
            ActivityHeadersPropagator = null,
            MaxResponseHeadersLength = MaxHeadersKiB,
            PooledConnectionLifetime = ConnectionLifetime,
            ConnectTimeout = config.ConnectTimeout ?? ConnectTimeout,
            ConnectCallback = async (context, cancellationToken) =>
            {
                Stream connection = await connector.ConnectAsync(context.DnsEndPoint, cancellationToken).ConfigureAwait(false);
                if (!CarriesTls(context.InitialRequestMessage))
                {
                    return connection;
                }

                if (connection is PromptStream prompt)
                {
                    prompt.HeldBytes = TlsReceiveBuffer.MostHeldBytes;
                }

                return new TlsReceiveBuffer(connection, ReceiveBuffers.Shared);
            },
            PlaintextStreamFilter = (context, _) => ValueTask.FromResult<Stream>(new EarlyResponseStream(context.PlaintextStream, settings.FirstResponse, settings.Time)),
            RequestHeaderEncodingSelector = GetEncoding,
            DefaultProxyCredentials = config.ProxyCredentials, // for a proxy from the environment
        };
        settings.ConfigureTls?.Invoke(handler.SslOptions);
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

    /// <summary>Returns whether a connection is for TLS: to the store itself, or through a proxy, which gets a CONNECT request first.</summary>
    private static bool CarriesTls(HttpRequestMessage request) => request.RequestUri?.Scheme == Uri.UriSchemeHttps || request.Method == HttpMethod.Connect;

    /// <summary>Gets the encoding of a request header. An ETag is sent with the bytes that were received, because headers of responses are read as Latin-1.</summary>
    private static Encoding? GetEncoding(string name, HttpRequestMessage request) => name is "If-Match" ? Encoding.Latin1 : null;
}
