using Amazon;
using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.Cli.Credentials;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Connections;

/// <summary>The clients of a store. Credentials are resolved when it is opened, so that missing ones are reported before anything is sent.</summary>
internal sealed class Connection : IDisposable
{
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(10);
    private const int Retries = 2;
    private readonly TlsHttpClientFactory? _tls;
    private readonly AmazonS3Client _libraryClient;

    private Connection(ConnectionSettings settings, ResolvedCredentials credentials)
    {
        Settings = settings;
        Credentials = credentials;
        _tls = TlsHttpClientFactory.For(settings);
        Client = new AmazonS3Client(credentials.Credentials, Configure(settings, _tls, Retries));

        // The library sends and requests checksums as its client is configured to.
        AmazonS3Config config = Configure(settings, _tls, 0);
        config.RequestChecksumCalculation = settings.RequestChecksums ?? RequestChecksumCalculation.WHEN_SUPPORTED;
        config.ResponseChecksumValidation = settings.ResponseChecksums ?? ResponseChecksumValidation.WHEN_SUPPORTED;
        _libraryClient = new AmazonS3Client(credentials.Credentials, config);
    }

    public ConnectionSettings Settings { get; }

    /// <summary>Gets the credentials, and where they come from.</summary>
    public ResolvedCredentials Credentials { get; }

    /// <summary>Gets the client of the SDK for what the library doesn't do: presigned URLs, and the deletion of a benchmark's objects.</summary>
    public AmazonS3Client Client { get; }

    public static Task<Connection> OpenAsync(ConnectionSettings settings, CancellationToken cancellationToken) => OpenAsync(settings, TerminalPrompt.Ask, cancellationToken);

    /// <summary>Opens a connection.</summary>
    /// <param name="settings">The settings.</param>
    /// <param name="askUser">Asks for a code of a device, if a profile needs one; null is no answer.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task<Connection> OpenAsync(ConnectionSettings settings, Func<string, string?> askUser, CancellationToken cancellationToken)
        => new(settings, await CredentialResolver.ResolveAsync(settings, askUser, TimeProvider.System, cancellationToken).ConfigureAwait(false));

    /// <summary>Creates a client of the library for a command that sends few requests. They are counted in its result. The caller disposes it.</summary>
    public TransferClient CreateClient(Invocation invocation)
    {
        TransferClientOptions options = new ClientLimits().ToClientOptions();
        options.Advanced.RequestObserver += _ => invocation.Tally.CountRequest();
        return CreateClient(invocation, options);
    }

    /// <summary>Creates a client of the library for a command, which has its own counters. The caller disposes it.</summary>
    public TransferClient CreateClient(Invocation invocation, ClientLimits limits)
    {
        (invocation.Usage.Prices, invocation.Usage.IsLimited) = (invocation.Usage.Prices ?? limits.Prices, invocation.Usage.IsLimited || limits.Usage is not null);
        return CreateClient(invocation, limits.ToClientOptions());
    }

    /// <summary>Creates a client of the library for a command, with more options than its limits. The caller disposes it.</summary>
    public TransferClient CreateClient(Invocation invocation, TransferClientOptions options)
    {
        options.RetryFor = Settings.RetryFor ?? invocation.Console.Patience;
        TransferClient client = CreateClient(invocation.Observe(options));
        invocation.Usage.Add(client);
        invocation.Watch(Settings.StoreName, () => client.Waiting);
        return client;
    }

    /// <summary>Creates a client of the library that nobody observes. The caller disposes it.</summary>
    public TransferClient CreateClient(TransferClientOptions options)
    {
        options.ConfigureTls = _tls?.Rules;
        options.ExpectedBucketOwner = Settings.BucketOwner;
        if (Settings.ObjectUrl is { } url)
        {
            Func<HttpMessageHandler, HttpMessageHandler>? wrap = options.Advanced.WrapHandler;
            options.Advanced.WrapHandler = handler => new ObjectUrlHandler(url, wrap?.Invoke(handler) ?? handler);
        }

        return new TransferClient(_libraryClient, options);
    }

    /// <summary>Creates a client with the SDK's defaults for retries and checksums, whose requests go through the caller's handler. The caller disposes it.</summary>
    public AmazonS3Client CreateSdkClient(Func<HttpMessageHandler, HttpMessageHandler> wrap)
    {
        AmazonS3Config defaults = new();
        HandlerHttpClientFactory factory = new(() => wrap(_tls?.CreateHandler() ?? new SocketsHttpHandler { AllowAutoRedirect = false }));
        AmazonS3Config config = Configure(Settings, factory, defaults.MaxErrorRetry);
        config.RequestChecksumCalculation = defaults.RequestChecksumCalculation;
        config.ResponseChecksumValidation = defaults.ResponseChecksumValidation;
        return new AmazonS3Client(Credentials.Credentials, config);
    }

    public void Dispose()
    {
        Client.Dispose();
        _libraryClient.Dispose();
    }

    private static AmazonS3Config Configure(ConnectionSettings settings, HttpClientFactory? factory, int retries)
    {
        AmazonS3Config config = new()
        {
            IgnoreConfiguredEndpointUrls = true,
            DefaultConfigurationMode = DefaultConfigurationMode.Standard, // AWS_DEFAULTS_MODE would fail the first request if it isn't valid
            ForcePathStyle = settings.PathStyle,
            RetryMode = RequestRetryMode.Standard,
            MaxErrorRetry = retries,
            ConnectTimeout = ConnectTimeout,
            RequestChecksumCalculation = RequestChecksumCalculation.WHEN_REQUIRED,
            ResponseChecksumValidation = ResponseChecksumValidation.WHEN_REQUIRED,
        };
        if (factory is not null)
        {
            config.HttpClientFactory = factory;
        }

        if (settings.Endpoint is null)
        {
            config.RegionEndpoint = RegionEndpoint.GetBySystemName(settings.Region);
        }
        else
        {
            config.ServiceURL = settings.Endpoint.ToString();
            config.AuthenticationRegion = settings.Region;

            // The environment can ask for these endpoints of Amazon S3, which another store doesn't have. The SDK refuses the combination.
            config.UseDualstackEndpoint = config.UseFIPSEndpoint = false;
        }

        return config;
    }
}
