using Amazon;
using Amazon.Runtime;
using Amazon.Runtime.CredentialManagement;
using Amazon.Runtime.Credentials;
using Amazon.S3;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Connections;

/// <summary>The clients of a store. Credentials are resolved when it is opened, so that missing ones are reported before anything is sent.</summary>
internal sealed class Connection : IDisposable
{
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(10);
    private const int Retries = 2;
    private readonly TlsHttpClientFactory? _tls;

    private Connection(ConnectionSettings settings, AWSCredentials credentials)
    {
        Settings = settings;
        Credentials = credentials;
        _tls = TlsHttpClientFactory.For(settings);
        Client = new AmazonS3Client(credentials, Configure(settings, _tls, Retries));

        // The library requests checksums only if the client validates responses.
        AmazonS3Config config = Configure(settings, _tls, 0);
        config.ResponseChecksumValidation = ResponseChecksumValidation.WHEN_SUPPORTED;
        TransferClient = new AmazonS3Client(credentials, config);
    }

    public ConnectionSettings Settings { get; }

    /// <summary>Gets the client for single requests, which the SDK retries.</summary>
    public AmazonS3Client Client { get; }

    /// <summary>Gets the client for the library, which has its own retries and counters.</summary>
    public AmazonS3Client TransferClient { get; }

    /// <summary>Gets the credentials that requests are signed with.</summary>
    public AWSCredentials Credentials { get; }

    public static async Task<Connection> OpenAsync(ConnectionSettings settings, CancellationToken cancellationToken)
        => new(settings, await FindCredentialsAsync(settings, cancellationToken).ConfigureAwait(false));

    /// <summary>Creates a client with the SDK's defaults for retries and checksums, whose requests go through the caller's handler. The caller disposes it.</summary>
    public AmazonS3Client CreateSdkClient(Func<HttpMessageHandler, HttpMessageHandler> wrap)
    {
        AmazonS3Config defaults = new();
        HandlerHttpClientFactory factory = new(() => wrap(_tls?.CreateHandler() ?? new SocketsHttpHandler { AllowAutoRedirect = false }));
        AmazonS3Config config = Configure(Settings, factory, defaults.MaxErrorRetry);
        config.RequestChecksumCalculation = defaults.RequestChecksumCalculation;
        config.ResponseChecksumValidation = defaults.ResponseChecksumValidation;
        return new AmazonS3Client(Credentials, config);
    }

    public void Dispose()
    {
        Client.Dispose();
        TransferClient.Dispose();
    }

    private static AmazonS3Config Configure(ConnectionSettings settings, HttpClientFactory? factory, int retries)
    {
        AmazonS3Config config = new()
        {
            IgnoreConfiguredEndpointUrls = true,
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
        }

        return config;
    }

    private static async Task<AWSCredentials> FindCredentialsAsync(ConnectionSettings settings, CancellationToken cancellationToken)
    {
        if (settings.IsAnonymous)
        {
            return new AnonymousAWSCredentials();
        }

        if (settings.Keys is { } keys && !settings.IsProfileExplicit)
        {
            return keys.SessionToken is null ? new BasicAWSCredentials(keys.Id, keys.Secret) : new SessionAWSCredentials(keys.Id, keys.Secret, keys.SessionToken);
        }

        try
        {
            if (settings.Profile is { } profile && new CredentialProfileStoreChain().TryGetAWSCredentials(profile, out AWSCredentials found))
            {
                await found.GetCredentialsAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
                return found;
            }

            if (settings.IsProfileExplicit)
            {
                throw new UsageException($"the profile '{settings.Profile}' has no credentials");
            }

            return await DefaultAWSCredentialsIdentityResolver.GetCredentialsAsync(new AmazonS3Config { RegionEndpoint = RegionEndpoint.GetBySystemName(settings.Region) })
                .WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (AmazonClientException e) when (settings.Profile is null)
        {
            throw new UsageException(
                "no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, select a profile with --profile, or use --no-sign-request for a public bucket", e);
        }
        catch (Exception e) when (e is AmazonClientException or InvalidOperationException or ArgumentException)
        {
            throw new UsageException($"the credentials of profile '{settings.Profile}' can't be used: {Printable.Line(e.Message)}", e);
        }
    }
}
