using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3;

public sealed partial class TransferClient
{
    /// <inheritdoc/>
    public Task<DownloadResult> DownloadAsync(
        Uri source, string path, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => ReadUrlAsync(source, options, (reader, address) => reader.DownloadAsync(address.Bucket, address.Key, path, options, progress, cancellationToken));

    /// <inheritdoc/>
    public Task<DownloadResult> DownloadAsync(
        Uri source, Stream destination, DownloadOptions? options = null, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
        => ReadUrlAsync(source, options, (reader, address) => reader.DownloadAsync(address.Bucket, address.Key, destination, options, progress, cancellationToken));

    /// <inheritdoc/>
    public async Task<ObjectReadStream> OpenReadAsync(Uri source, DownloadOptions? options = null, CancellationToken cancellationToken = default)
    {
        S3Uri address = CheckUrl(source, options);
        TransferClient reader = OpenUrl(source);
        TransferRun run;
        DownloadRequest request;
        try
        {
            request = reader.Check(address.Bucket, address.Key, options, cancellationToken);
            run = reader.Begin(request, null, options);
        }
        catch
        {
            reader.CloseUrl();
            throw;
        }

        run.Reporter.Trace?.Start();
        return await OrderedDownload.OpenAsync(run, request, EndAsync, cancellationToken).ConfigureAwait(false);

        async ValueTask EndAsync(Exception? error)
        {
            await run.Reporter.EndAsync(error).ConfigureAwait(false);
            reader.CloseUrl();
        }
    }

    private async Task<T> ReadUrlAsync<T>(Uri source, DownloadOptions? options, Func<TransferClient, S3Uri, Task<T>> readAsync)
    {
        S3Uri address = CheckUrl(source, options);
        TransferClient reader = OpenUrl(source);
        try
        {
            return await readAsync(reader, address).ConfigureAwait(false);
        }
        finally
        {
            reader.CloseUrl();
        }
    }

    /// <summary>Checks a URL, and gets the address of its object in messages and journals. It has no query, because that can be a signature.</summary>
    private S3Uri CheckUrl(Uri source, DownloadOptions? options)
    {
        ArgumentNullException.ThrowIfNull(source);
        ThrowIfDisposed();
        if (!source.IsAbsoluteUri || (source.Scheme != Uri.UriSchemeHttps && source.Scheme != Uri.UriSchemeHttp) || source.UserInfo.Length > 0 || source.AbsolutePath.Length < 2)
        {
            throw new ArgumentException("The URL must begin with https:// or http://, have a host and a path, and no user name.", nameof(source));
        }

        if (options?.VersionId is not null || options?.CustomerKey is not null)
        {
            string option = options.VersionId is not null ? nameof(options.VersionId) : nameof(options.CustomerKey);
            throw new ArgumentException($"{option} is set, but the URL determines which object is read, and how. Omit it.", nameof(options));
        }

        string host = source.IdnHost;
        bool isPlain = host.Length is >= 3 and <= 63 && host.All(static c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '-' or '.') && !host.Contains("--", StringComparison.Ordinal);
        return new S3Uri(isPlain ? host : "url", Uri.UnescapeDataString(source.AbsolutePath)[1..]);
    }

    /// <summary>Creates a client that reads one URL with the memory and the slots of this one.</summary>
    private TransferClient OpenUrl(Uri source)
    {
        AmazonS3Config config = new()
        {
            ServiceURL = $"{source.Scheme}://{source.Authority}",
            AuthenticationRegion = "us-east-1",
            ForcePathStyle = true,
            IgnoreConfiguredEndpointUrls = true,
            DefaultConfigurationMode = DefaultConfigurationMode.Standard,
            UseDualstackEndpoint = false,
            UseFIPSEndpoint = false,
        };
        if (S3.Config is ClientConfig own)
        {
            if (own.ConnectTimeout is { } timeout)
            {
                config.ConnectTimeout = timeout;
            }

            config.ProxyCredentials = own.ProxyCredentials;
            if (own.GetWebProxy() is { } proxy)
            {
                config.SetWebProxy(proxy);
            }
        }

        AmazonS3Client s3 = new(new AnonymousAWSCredentials(), config);
        WireSettings settings = _context.Settings.Wire;
        Func<HttpMessageHandler, HttpMessageHandler>? wrap = settings.WrapHandler;
        WireRouter wires = WireSelection.Create(s3, settings with
        {
            Link = new LinkReference(), // the URL can be of another server
            Wire = TransferWire.Http,
            ExpectedBucketOwner = null,
            WrapHandler = handler => new ObjectUrlHandler(source, wrap?.Invoke(handler) ?? handler),
        });
        return new TransferClient(s3, new ClientContext(_context, wires, config.ServiceURL));
    }

    /// <summary>Closes the connections of a client that reads one URL. All else belongs to the client that created it.</summary>
    private void CloseUrl()
    {
        _context.Wire.Dispose();
        S3.Dispose();
    }
}
