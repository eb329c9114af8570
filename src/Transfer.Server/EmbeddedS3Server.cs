using Amazon.Runtime;
using Amazon.S3;
using Microsoft.AspNetCore.Builder;
using Transfer.S3.Server.Hosting;
using Transfer.S3.Server.Signing;

namespace Transfer.S3.Server;

/// <summary>An S3-compatible server in the current process, for demonstrations, tests, and benchmarks.</summary>
/// <remarks>
/// <para>
/// Requests must be signed with Signature Version 4, and signatures are verified as by Amazon S3. Objects, multipart uploads, listings, conditions, ranges, and
/// checksums behave as in Amazon S3. Operations that aren't implemented are rejected with status 501.
/// </para>
/// <para>
/// An object that was uploaded with a customer-provided key (SSE-C) can be read only with that key, but it is not encrypted. Unlike Amazon S3, the server accepts
/// the key over plain HTTP.
/// </para>
/// <para>All members are thread-safe.</para>
/// </remarks>
/// <example>
/// <code>
/// await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = ["bucket"] });
/// using AmazonS3Client s3 = server.CreateClient();
/// await using TransferClient client = new(s3);
/// await client.UploadAsync("hello"u8.ToArray(), "bucket", "greeting.txt");
/// Console.WriteLine($"{server.Statistics.TotalRequests} requests");
/// </code>
/// </example>
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

    /// <summary>Gets the endpoint of the server, for example <c>http://127.0.0.1:40123/</c>.</summary>
    public Uri Endpoint { get; }

    /// <summary>Gets the access key ID that requests must be signed with.</summary>
    public string AccessKeyId => _context.Options.AccessKeyId;

    /// <summary>Gets the secret access key that requests must be signed with.</summary>
    public string SecretAccessKey => _context.Options.SecretAccessKey;

    /// <summary>Gets the region that requests must be signed for.</summary>
    public string Region => _context.Options.Region;

    /// <summary>Gets or sets the delay of the first byte of every response.</summary>
    /// <value>
    /// The default is <see cref="EmbeddedS3ServerOptions.FirstByteDelay"/>. Range: zero to 5 minutes. A new value applies to responses that aren't being delayed
    /// yet.
    /// </value>
    /// <exception cref="ArgumentException">Thrown when the value is out of range.</exception>
    public TimeSpan FirstByteDelay
    {
        get => _context.Shaping.FirstByteDelay;
        set
        {
            ResolvedOptions.RequireDelay(value, nameof(EmbeddedS3ServerOptions.FirstByteDelay));
            _context.Shaping.FirstByteDelay = value;
        }
    }

    /// <summary>Gets or sets the maximum rate of the bodies on each connection and in each direction, in bytes per second.</summary>
    /// <value>
    /// The rate, or <see langword="null"/> for no limit. The default is <see cref="EmbeddedS3ServerOptions.ConnectionBytesPerSecond"/>. Range: 1024 or more. A new
    /// value also applies to open connections, from the next piece of a body on.
    /// </value>
    /// <exception cref="ArgumentException">Thrown when the value is out of range.</exception>
    public long? ConnectionBytesPerSecond
    {
        get => _context.Shaping.ConnectionBytesPerSecond;
        set
        {
            ResolvedOptions.RequireRate(value, nameof(EmbeddedS3ServerOptions.ConnectionBytesPerSecond));
            _context.Shaping.ConnectionBytesPerSecond = value;
        }
    }

    /// <summary>Gets or sets the maximum rate of the bodies over all connections together and in each direction, in bytes per second.</summary>
    /// <value>
    /// The rate, or <see langword="null"/> for no limit. The default is <see cref="EmbeddedS3ServerOptions.LinkBytesPerSecond"/>. Range: 1024 or more. A new value
    /// applies from the next piece of a body on.
    /// </value>
    /// <exception cref="ArgumentException">Thrown when the value is out of range.</exception>
    public long? LinkBytesPerSecond
    {
        get => _context.Shaping.LinkBytesPerSecond;
        set
        {
            ResolvedOptions.RequireRate(value, nameof(EmbeddedS3ServerOptions.LinkBytesPerSecond));
            _context.Shaping.LinkBytesPerSecond = value;
        }
    }

    /// <summary>Gets the counters of the server.</summary>
    public ServerStatistics Statistics => _context.Statistics;

    /// <summary>Gets a snapshot of the last 16,384 requests, oldest first. A request is added before its response begins.</summary>
    public IReadOnlyList<RequestRecord> Requests => _context.Requests.Snapshot();

    /// <summary>Starts a server.</summary>
    /// <param name="options">The options; <see langword="null"/> for the defaults.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation of the start. <see cref="DisposeAsync"/> stops a running server.</param>
    /// <returns>The running server.</returns>
    /// <exception cref="ArgumentException">Thrown when an option is out of range. The message contains its name, value, and range.</exception>
    /// <exception cref="IOException">Thrown when the port is in use, or when the directory can't be used, for example because another server uses it.</exception>
    /// <exception cref="InvalidDataException">Thrown when the directory contains a file that this version can't read, or when the recording isn't one. The message contains its name.</exception>
    public static async Task<EmbeddedS3Server> StartAsync(EmbeddedS3ServerOptions? options = null, CancellationToken cancellationToken = default)
    {
        ResolvedOptions resolved = ResolvedOptions.From(options ?? new EmbeddedS3ServerOptions());
        // The constructor reads the directory, which can take long.
        ServerContext context = await Task.Run(() => new ServerContext(resolved), cancellationToken).ConfigureAwait(false);
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

        var server = new EmbeddedS3Server(context, application, GetEndpoint(context.Options, port));
        Log.ServerStarted(context.Logger, server.Endpoint);
        return server;
    }

    /// <summary>
    /// Creates an SDK client with the endpoint and the credentials of this server, and with path-style addresses. Over HTTPS, it trusts the certificate of the
    /// server.
    /// </summary>
    /// <param name="configure">Changes the configuration of the client; <see langword="null"/> for the defaults.</param>
    /// <returns>The client. The caller must dispose it.</returns>
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

    /// <summary>
    /// Sets the faults that the server simulates, from the next connection and request on. The counts of rules and the random numbers start again. If a rule is for
    /// connections, those that are open are closed after the request that they serve, so that the next request needs a new one.
    /// </summary>
    /// <param name="plan">The plan; <see langword="null"/> for no faults. Requests that are already affected by a fault are not changed.</param>
    /// <exception cref="ArgumentException">Thrown when a property of the plan is out of range. The message contains its name, value, and range.</exception>
    public void SetFaults(FaultPlan? plan) => _context.SetFaults(plan);

    /// <summary>Adds temporary credentials that requests can be signed with, such as those that a simulated token service issues.</summary>
    /// <param name="accessKeyId">The access key ID. Credentials with the same ID are replaced.</param>
    /// <param name="secretAccessKey">The secret access key.</param>
    /// <param name="sessionToken">The session token that requests must contain. Without it, they are rejected with InvalidToken.</param>
    /// <param name="expires">
    /// The time from which requests are rejected with ExpiredToken, by <see cref="EmbeddedS3ServerOptions.TimeProvider"/>; <see langword="null"/> for never.
    /// </param>
    /// <exception cref="ArgumentException">Thrown when a value is empty, or when the ID is the <see cref="AccessKeyId"/> of the server.</exception>
    public void AddTemporaryCredentials(string accessKeyId, string secretAccessKey, string sessionToken, DateTimeOffset? expires = null)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(accessKeyId);
        ArgumentException.ThrowIfNullOrWhiteSpace(secretAccessKey);
        ArgumentException.ThrowIfNullOrWhiteSpace(sessionToken);
        if (accessKeyId == AccessKeyId)
        {
            throw new ArgumentException($"{nameof(accessKeyId)} is that of the server; specify another one", nameof(accessKeyId));
        }

        _context.Verifier.AccessKeys.Add(accessKeyId, new AccessKey(secretAccessKey, sessionToken, expires));
    }

    /// <summary>Clears <see cref="Requests"/>. To reset the counters, use <see cref="ServerStatistics.Reset"/>.</summary>
    public void ClearRequests() => _context.Requests.Clear();

    /// <summary>Stops the server and closes its connections. A directory keeps the objects that were published.</summary>
    /// <returns>A task that completes when the server has stopped.</returns>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            return;
        }

        try
        {
            // With a canceled token, Kestrel closes the connections immediately instead of waiting for their requests.
            await _application.StopAsync(new CancellationToken(canceled: true)).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // Expected, because the token is canceled.
        }

        await _application.DisposeAsync().ConfigureAwait(false);
        _context.Dispose();
    }

    private static Uri GetEndpoint(ResolvedOptions options, int port)
    {
        string scheme = options.Certificate is null ? Uri.UriSchemeHttp : Uri.UriSchemeHttps;
        System.Net.IPAddress address = options.Address.Equals(System.Net.IPAddress.Any) ? System.Net.IPAddress.Loopback : options.Address;
        address = address.Equals(System.Net.IPAddress.IPv6Any) ? System.Net.IPAddress.IPv6Loopback : address;
        return new UriBuilder(scheme, options.HostName ?? address.ToString(), port).Uri;
    }
}
