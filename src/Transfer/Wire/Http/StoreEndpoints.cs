using System.Collections.Concurrent;
using Amazon.Runtime;
using Amazon.Runtime.Endpoints;
using Amazon.S3;
using Amazon.S3.Endpoints;
using Amazon.S3.Internal;
using Amazon.S3.Model;
using Amazon.S3.Util;
using Microsoft.Extensions.Logging;

namespace Transfer.S3.Wire.Http;

/// <summary>
/// Gets the endpoints of buckets from the SDK's rules (virtual-hosted style or path style, dual-stack, FIPS, accelerated), or from redirections of the
/// store.
/// </summary>
/// <param name="s3">The client.</param>
/// <param name="logger">The logger; null for none.</param>
internal sealed class StoreEndpoints(AmazonS3Client s3, ILogger? logger = null)
{
    /// <summary>The ends of names that are given as the address of the store, such as those of interface endpoints.</summary>
    private static readonly string[] AwsSuffixes = [".amazonaws.com", ".amazonaws.com.cn"];

    private readonly ConcurrentDictionary<string, StoreEndpoint> _byBucket = new(StringComparer.Ordinal);
    private int _warnings;

    /// <summary>Gets the configured URL of the store; null for Amazon S3.</summary>
    public Uri? Service { get; } = string.IsNullOrEmpty(s3.Config.ServiceURL) ? null : new Uri(s3.Config.ServiceURL);

    /// <exception cref="WireException">Thrown when the name of the bucket isn't valid, or isn't valid with this configuration.</exception>
    public StoreEndpoint For(string bucket) => _byBucket.TryGetValue(bucket, out StoreEndpoint? endpoint) ? endpoint : _byBucket.GetOrAdd(bucket, Resolve);

    /// <summary>
    /// Gets the endpoint of a redirection; null if the response doesn't contain enough to determine it, or if its location doesn't clearly mean the same bucket and key.
    /// </summary>
    public StoreEndpoint? Follow(StoreEndpoint asked, string bucket, string key, Redirection redirection)
    {
        string? region = redirection.Region ?? GetRegion(redirection.Location);
        bool isOurs = redirection.Location is null || redirection.IsLasting;
        if (region is not null && region != asked.Region && isOurs && string.IsNullOrEmpty(s3.Config.ServiceURL))
        {
            // The rules know more than a response contains: dual-stack, FIPS, and names with dots.
            return InRegion(bucket, region);
        }

        if (redirection.Location is { } location)
        {
            bool isHttp = location.Scheme == Uri.UriSchemeHttps || location.Scheme == Uri.UriSchemeHttp;
            return isHttp && FindPathPrefix(asked, location, bucket, key) is { } prefix ? StoreEndpoint.At(location, prefix, region ?? asked.Region) : null;
        }

        return region is null ? null : asked with { Region = region };
    }

    /// <summary>
    /// Returns whether an endpoint belongs to the configured store, so that the same requests can be sent to it. The hosts of Amazon S3 are those of its endpoints
    /// in the partition. The hosts of another store are the host of its address, at any port, and its subdomains.
    /// </summary>
    public bool Owns(StoreEndpoint place) => Owns(new Uri(place.Origin).IdnHost);

    /// <summary>Gets the AWS Region that requests to an endpoint are signed for; null if the endpoint isn't that of Amazon S3.</summary>
    public string? GetAwsRegion(StoreEndpoint place, string? region)
        => !string.IsNullOrEmpty(region) && (Service is null || Array.Exists(AwsSuffixes, suffix => place.Address.EndsWith(suffix, StringComparison.OrdinalIgnoreCase))) ? region : null;

    /// <summary>Remembers the endpoint of a bucket.</summary>
    public void Learn(string bucket, StoreEndpoint endpoint) => _byBucket[bucket] = endpoint;

    /// <summary>Forgets an endpoint that no longer responds. The next request resolves the endpoint again.</summary>
    public void Forget(string bucket, StoreEndpoint endpoint) => _byBucket.TryRemove(KeyValuePair.Create(bucket, endpoint));

    /// <summary>
    /// Returns whether a host is an endpoint of Amazon S3 (AWS General Reference, "Amazon Simple Storage Service endpoints and quotas").
    /// </summary>
    /// <param name="host">The host, without the suffix of the partition.</param>
    private static bool IsAmazonS3(string host)
    {
        string[] labels = host.Split('.');
        int s3 = Array.FindLastIndex(labels, label => label is "s3" || label.StartsWith("s3-", StringComparison.Ordinal) || label.StartsWith("s3express-", StringComparison.Ordinal));
        return s3 >= 0 && labels[(s3 + 1)..] is ([] or [_] or ["dualstack", _]);
    }

    private bool Owns(string host)
    {
        if (string.IsNullOrEmpty(s3.Config.ServiceURL))
        {
            // The suffix alone proves nothing, because the machines of AWS customers have names with it too.
            string suffix = "." + (s3.Config.RegionEndpoint?.PartitionDnsSuffix ?? "amazonaws.com");
            return host.EndsWith(suffix, StringComparison.OrdinalIgnoreCase) && IsAmazonS3(host[..^suffix.Length].ToLowerInvariant());
        }

        string own = new Uri(s3.Config.ServiceURL).IdnHost;
        return host.Equals(own, StringComparison.OrdinalIgnoreCase) || host.EndsWith("." + own, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>
    /// Gets the path before the key at the location of a redirection; null if the location isn't an address of the same key in the same bucket. The bucket must be
    /// in the host, or in the path directly before the key. With any other path, the store would take the first name of the path for the bucket, and the rest for the key.
    /// </summary>
    /// <param name="asked">The endpoint that redirected the request.</param>
    /// <param name="location">The location, which can be only a host.</param>
    /// <param name="bucket">The bucket; empty for the list of buckets.</param>
    /// <param name="key">The key; empty for a request about the bucket itself.</param>
    private string? FindPathPrefix(StoreEndpoint asked, Uri location, string bucket, string key)
    {
        string inPath = bucket.Length == 0 ? "/" : $"/{bucket}/";
        bool isSameHost = location.IdnHost.Equals(new Uri(asked.Origin).IdnHost, StringComparison.OrdinalIgnoreCase);
        bool wasInPath = asked.PathPrefix.EndsWith(inPath, StringComparison.Ordinal);
        bool isInPath = isSameHost ? wasInPath : !NamesBucket(location.IdnHost, bucket);
        bool isOtherStyle = isInPath != wasInPath;
        string plain = isInPath ? inPath : "/";

        string path = Uri.UnescapeDataString(location.AbsolutePath);
        if (path is "" or "/")
        {
            // The path of the configured URL can't be part of another style.
            return !isOtherStyle ? asked.PathPrefix : asked.PathPrefix == (wasInPath ? inPath : "/") && !bucket.Contains(':', StringComparison.Ordinal) ? plain : null;
        }

        return IsAddress(plain) ? plain : !isOtherStyle && IsAddress(Uri.UnescapeDataString(asked.PathPrefix)) ? asked.PathPrefix : null;

        bool IsAddress(string prefix) => path == prefix + key || (key.Length == 0 && path + "/" == prefix);
    }

    /// <summary>Returns whether a host is that of a bucket in virtual-hosted style. A bucket can also have the first name of the store itself, such as <c>s3</c>.</summary>
    private bool NamesBucket(string host, string bucket)
        => bucket.Length > 0 && host.StartsWith(bucket + ".", StringComparison.OrdinalIgnoreCase) && Owns(host[(bucket.Length + 1)..]);

    private static string? GetRegion(Uri? location)
        => location is not null && AmazonS3Uri.TryParseAmazonS3Uri(location, out AmazonS3Uri parsed) ? parsed.Region?.SystemName : null;

    private StoreEndpoint Resolve(string bucket)
    {
        if (logger is not null && Service is not null && EndpointHints.ShiftsKeys(bucket, Service) && Interlocked.Exchange(ref _warnings, 1) == 0)
        {
            Log.BucketInEndpoint(logger, StoreEndpoint.At(Service, "/", string.Empty).Origin + Service.AbsolutePath.TrimEnd('/'), bucket);
        }

        if (InPathOfService(bucket) is { } known)
        {
            return known;
        }

        Endpoint endpoint;
        try
        {
            // The list of all buckets is requested without one.
            endpoint = s3.DetermineServiceOperationEndpoint(bucket.Length == 0 ? new ListBucketsRequest() : new GetObjectRequest { BucketName = bucket, Key = "k" });
        }
        catch (AmazonClientException e)
        {
            // Every request for this bucket fails in the same way, as with the error of a store.
            throw new WireException(FailureKind.Final, e.Message, e) { ErrorCode = bucket.Length == 0 ? null : "InvalidBucketName" };
        }

        // As in the SDK, a region that is configured for signatures takes precedence over the rules.
        return At(endpoint, s3.Config.AuthenticationRegion is { Length: > 0 } given ? given : null);
    }

    /// <summary>
    /// Gets the endpoint of a bucket in the path of the configured URL, for which the rules have only one result; null if they decide. A new process takes about 80 ms
    /// to compile and evaluate the rules.
    /// </summary>
    private StoreEndpoint? InPathOfService(string bucket)
    {
        AmazonS3Config config = (AmazonS3Config)s3.Config;
        bool isPlain = config is { ForcePathStyle: true, UseAccelerateEndpoint: false, UseDualstackEndpoint: false, UseFIPSEndpoint: false, AuthenticationRegion.Length: > 0 }
            && config.EndpointProvider?.GetType() == typeof(AmazonS3EndpointProvider)
            && IsPlainName(bucket);
        if (!isPlain || Service is not { Query: "", AbsolutePath: var path })
        {
            return null;
        }

        path = path == "/" ? string.Empty : path;
        return path.EndsWith('/') ? null // the rules keep the slash
            : StoreEndpoint.At(Service, $"{path}/{bucket}/", config.AuthenticationRegion);
    }

    /// <summary>Returns whether a name is that of a general-purpose bucket. Other names (ARNs, and suffixes after two hyphens) have rules of their own.</summary>
    private static bool IsPlainName(string bucket)
        => bucket.Length is >= 3 and <= 63
            && !bucket.Contains("--", StringComparison.Ordinal)
            && bucket.All(static c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '-' or '.');

    private StoreEndpoint? InRegion(string bucket, string region)
    {
        AmazonS3Config config = (AmazonS3Config)s3.Config;
        S3EndpointParameters parameters = new()
        {
            Bucket = bucket.Length == 0 ? null : bucket,
            Region = region,
            UseFIPS = config.UseFIPSEndpoint,
            UseDualStack = config.UseDualstackEndpoint,
            Accelerate = config.UseAccelerateEndpoint,
            ForcePathStyle = config.ForcePathStyle,
            DisableS3ExpressSessionAuth = config.DisableS3ExpressSessionAuth,
        };
        try
        {
            return At(config.EndpointProvider.ResolveEndpoint(parameters), region);
        }
        catch (AmazonClientException)
        {
            return null;
        }
    }

    private StoreEndpoint At(Endpoint endpoint, string? region)
    {
        AuthScheme scheme = AuthScheme.From(endpoint);
        Uri uri = new(endpoint.URL);
        return StoreEndpoint.At(uri, uri.AbsolutePath.TrimEnd('/') + "/", region ?? scheme.SigningRegion ?? s3.Config.RegionEndpoint?.SystemName ?? "us-east-1") with
        {
            IsLeftToSdk = !scheme.IsS3,
        };
    }
}
