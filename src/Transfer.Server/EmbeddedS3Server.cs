using Amazon.Runtime;
using Amazon.S3;
using Microsoft.AspNetCore.Builder;
using Transfer.Server.Hosting;

namespace Transfer.Server;

/// <summary>An S3-compatible server inside this process, for demonstrations, tests and measurements.</summary>
/// <remarks>
/// Requests must be signed (SigV4) and are verified as Amazon S3 verifies them; objects, uploads in parts, listings, conditions, ranges and checksums
/// behave as there. An object that was sent with a customer's key (SSE-C) is given out for that key alone, but it is kept as it came, not encrypted; unlike
/// Amazon S3, plain http is good enough for the key. What is not implemented answers 501. All members may be used from any thread.
/// </remarks>
public sealed class EmbeddedS3Server : IAsyncDisposable
{
    private readonly ServerContext _context;
    private readonly WebApplication _application;
    private int _disposed;

    private EmbeddedS3Server(ServerContext context, WebApplication application, Uri endpoint)
    {
        _context = context;
        _application = application;
        Endpoint = endpoint;
    }

    /// <summary>Where the server listens, for example <c>http://127.0.0.1:40123/</c>.</summary>
    public Uri Endpoint { get; }

    /// <summary>The access key id that requests are signed with.</summary>
    public string AccessKeyId => _context.Options.AccessKeyId;

    /// <summary>The secret access key that requests are signed with.</summary>
    public string SecretAccessKey => _context.Options.SecretAccessKey;

    /// <summary>The region that requests are signed for.</summary>
    public string Region => _context.Options.Region;

    /// <summary>Gets or sets how long every response is held back before its first byte.</summary>
    /// <value>The default is <see cref="EmbeddedS3ServerOptions.FirstByteDelay"/>. Range: zero to five minutes. A new value is for responses that have not begun to wait.</value>
    /// <exception cref="ArgumentException">The value is outside its range.</exception>
    public TimeSpan FirstByteDelay
    {
        get => _context.Shaping.FirstByteDelay;
        set
        {
            ResolvedOptions.RequireDelay(value, nameof(EmbeddedS3ServerOptions.FirstByteDelay));
            _context.Shaping.FirstByteDelay = value;
        }
    }

    /// <summary>Gets or sets the rate of bodies on each connection, in each direction.</summary>
    /// <value>
    /// The rate, in bytes per second, or <see langword="null"/> for no limit. The default is <see cref="EmbeddedS3ServerOptions.ConnectionBytesPerSecond"/>. Range: 1024 and more.
    /// A new value applies to open connections as well, from the next piece of a body on.
    /// </value>
    /// <exception cref="ArgumentException">The value is outside its range.</exception>
    public long? ConnectionBytesPerSecond
    {
        get => _context.Shaping.ConnectionBytesPerSecond;
        set
        {
            ResolvedOptions.RequireRate(value, nameof(EmbeddedS3ServerOptions.ConnectionBytesPerSecond));
            _context.Shaping.ConnectionBytesPerSecond = value;
        }
    }

    /// <summary>Gets or sets the rate of bodies over all connections together, in each direction.</summary>
    /// <value>
    /// The rate, in bytes per second, or <see langword="null"/> for no limit. The default is <see cref="EmbeddedS3ServerOptions.LinkBytesPerSecond"/>. Range: 1024 and more.
    /// A new value applies from the next piece of a body on.
    /// </value>
    /// <exception cref="ArgumentException">The value is outside its range.</exception>
    public long? LinkBytesPerSecond
    {
        get => _context.Shaping.LinkBytesPerSecond;
        set
        {
            ResolvedOptions.RequireRate(value, nameof(EmbeddedS3ServerOptions.LinkBytesPerSecond));
            _context.Shaping.LinkBytesPerSecond = value;
        }
    }

    /// <summary>Live counters.</summary>
    public ServerStatistics Statistics => _context.Statistics;

    /// <summary>The latest requests, oldest first: a snapshot. A request is there before its answer begins. The last 16,384 are kept.</summary>
    public IReadOnlyList<RequestRecord> Requests => _context.Requests.Snapshot();

    /// <summary>Starts a server.</summary>
    /// <param name="options">How; <see langword="null"/> for all defaults.</param>
    /// <param name="cancellationToken">Ends the attempt to start; a started server ends by <see cref="DisposeAsync"/>.</param>
    /// <returns>The server, which listens already.</returns>
    /// <exception cref="ArgumentException">An option is outside its range; the message names option, value and range.</exception>
    /// <exception cref="IOException">The port is taken, or the folder cannot be used; another server may be using it.</exception>
    /// <exception cref="InvalidDataException">The folder holds a record that this version cannot read; the message names the file.</exception>
    public static async Task<EmbeddedS3Server> StartAsync(EmbeddedS3ServerOptions? options = null, CancellationToken cancellationToken = default)
    {
        ResolvedOptions resolved = ResolvedOptions.From(options ?? new EmbeddedS3ServerOptions());
        ServerContext context = await Task.Run(() => new ServerContext(resolved), cancellationToken).ConfigureAwait(false); // a folder may hold much
        WebApplication application;
        int port;
        try
        {
            (application, port) = await KestrelHost.StartAsync(context, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            context.Dispose();
            throw;
        }

        var server = new EmbeddedS3Server(context, application, EndpointOf(context.Options, port));
        Log.ServerStarted(context.Logger, server.Endpoint);
        return server;
    }

    /// <summary>Makes an SDK client: this server's endpoint and credentials, path style; over https it trusts the server's certificate.</summary>
    /// <param name="configure">Changes the configuration before the client is made.</param>
    /// <returns>A client, which the caller disposes.</returns>
    public AmazonS3Client CreateClient(Action<AmazonS3Config>? configure = null)
    {
        var config = new AmazonS3Config
        {
            ServiceURL = Endpoint.ToString(),
            AuthenticationRegion = Region,
            ForcePathStyle = true,
        };
        if (_context.Options.Certificate is not null)
        {
            config.HttpClientFactory = new PinnedHttpClientFactory(_context.Options.Certificate);
        }

        configure?.Invoke(config);
        return new AmazonS3Client(new BasicAWSCredentials(AccessKeyId, SecretAccessKey), config);
    }

    /// <summary>Makes the server fail from the next connection and request on as a plan says, which begins anew: its rules and chances have seen nothing yet.</summary>
    /// <param name="plan">The plan; <see langword="null"/> to fail no more. Requests that have met their fault already go on as it says.</param>
    /// <exception cref="ArgumentException">The plan is outside its ranges; the message names property, value and range.</exception>
    public void SetFaults(FaultPlan? plan) => _context.SetFaults(plan);

    /// <summary>Empties <see cref="Requests"/>. The counters stay; see <see cref="ServerStatistics.Reset"/>.</summary>
    public void ClearRequests() => _context.Requests.Clear();

    /// <summary>Stops listening and breaks off what is still under way. What a folder keeps is as it was published.</summary>
    /// <returns>The end of the server.</returns>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            return;
        }

        try
        {
            // Stopping with a cancelled token is Kestrel's way to close connections now instead of waiting for their requests.
            await _application.StopAsync(new CancellationToken(canceled: true)).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // That is what was asked for.
        }

        await _application.DisposeAsync().ConfigureAwait(false);
        _context.Dispose();
    }

    private static Uri EndpointOf(ResolvedOptions options, int port)
    {
        string scheme = options.Certificate is null ? Uri.UriSchemeHttp : Uri.UriSchemeHttps;
        System.Net.IPAddress address = options.Address.Equals(System.Net.IPAddress.Any) ? System.Net.IPAddress.Loopback : options.Address;
        address = address.Equals(System.Net.IPAddress.IPv6Any) ? System.Net.IPAddress.IPv6Loopback : address;
        return new UriBuilder(scheme, options.HostName ?? address.ToString(), port).Uri;
    }
}
