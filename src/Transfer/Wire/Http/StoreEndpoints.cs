using System.Collections.Concurrent;
using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.Wire.Http;

/// <summary>Where a bucket's requests go, as the SDK's own rules resolve it: virtual-host or path style, dual stack, FIPS, accelerated.</summary>
internal sealed class StoreEndpoints(AmazonS3Client s3)
{
    private readonly ConcurrentDictionary<string, StoreEndpoint> _byBucket = new(StringComparer.Ordinal);

    public StoreEndpoint Of(string bucket) => _byBucket.TryGetValue(bucket, out StoreEndpoint? endpoint) ? endpoint : _byBucket.GetOrAdd(bucket, Resolve);

    private StoreEndpoint Resolve(string bucket)
    {
        Uri uri = new(s3.DetermineServiceOperationEndpoint(new GetObjectRequest { BucketName = bucket, Key = "k" }).URL);
        string region = s3.Config.AuthenticationRegion is { Length: > 0 } given ? given : s3.Config.RegionEndpoint?.SystemName ?? "us-east-1";
        return new StoreEndpoint(uri.GetLeftPart(UriPartial.Authority), uri.Authority, uri.AbsolutePath.TrimEnd('/') + "/", region, uri.Scheme == Uri.UriSchemeHttps || uri.IsLoopback);
    }
}
