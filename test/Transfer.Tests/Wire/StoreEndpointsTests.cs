using Amazon;
using Amazon.Runtime;
using Amazon.Runtime.Endpoints;
using Amazon.S3;
using Amazon.S3.Internal;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

public class StoreEndpointsTests
{
    [Theory]
    [InlineData(null, "eu-west-1", true, "https://bucket.s3.eu-west-1.amazonaws.com", "/", "eu-west-1")]
    [InlineData("https://bucket.s3-eu-west-1.amazonaws.com/", null, true, "https://bucket.s3.eu-west-1.amazonaws.com", "/", "eu-west-1")]
    [InlineData("https://bucket.s3-eu-west-1.amazonaws.com/k", null, false, "https://bucket.s3-eu-west-1.amazonaws.com", "/", "eu-west-1")]
    [InlineData("https://s3-eu-west-1.amazonaws.com/", "eu-west-1", false, "https://s3-eu-west-1.amazonaws.com", "/bucket/", "eu-west-1")]
    public void Follow_Aws_UsesTheEndpointRulesOfTheRegion(string? location, string? region, bool isLasting, string origin, string prefix, string signedRegion)
    {
        using AmazonS3Client s3 = Client(new AmazonS3Config { RegionEndpoint = RegionEndpoint.USEast1 });
        StoreEndpoints endpoints = new(s3);

        StoreEndpoint? next = endpoints.Follow(endpoints.For("bucket"), "bucket", "k", new Redirection(region, location is null ? null : new Uri(location), isLasting));

        Assert.EachEqual((origin, prefix, signedRegion), (next?.Origin, next?.PathPrefix, next?.Region));
    }

    [Fact]
    public void Follow_WithDualStack_KeepsIt()
    {
        using AmazonS3Client s3 = Client(new AmazonS3Config { RegionEndpoint = RegionEndpoint.USEast1, UseDualstackEndpoint = true });
        StoreEndpoints endpoints = new(s3);

        StoreEndpoint? next = endpoints.Follow(endpoints.For("bucket"), "bucket", "k", new Redirection("eu-west-1", null, true));

        Assert.Equal("https://bucket.s3.dualstack.eu-west-1.amazonaws.com", next?.Origin);
    }

    [Theory]
    [InlineData(null, "eu-west-1", "http://store:9000", "/bucket/", "eu-west-1")]
    [InlineData("http://other:9000/bucket/a%20b/k", null, "http://other:9000", "/bucket/", "us-east-1")]
    [InlineData("http://store:9001/bucket/a%20b/k", "eu-west-1", "http://store:9001", "/bucket/", "eu-west-1")]
    [InlineData("http://bucket.store/a%20b/k", null, "http://bucket.store", "/", "us-east-1")]
    [InlineData("http://bucket.store/", null, "http://bucket.store", "/", "us-east-1")]
    [InlineData("http://bucket.eu.store/", null, "http://bucket.eu.store", "/", "us-east-1")]
    [InlineData("http://other/", null, "http://other", "/bucket/", "us-east-1")]
    [InlineData("http://other:9000/pre%20fix/bucket/a%20b/k", null, null, null, null)]
    [InlineData("http://bucket.other/a%20b/k", null, null, null, null)]
    [InlineData("http://bucket.store/bucket/a%20b/k", null, null, null, null)]
    [InlineData("http://store/a%20b/k", null, null, null, null)]
    [InlineData("http://store/login", null, null, null, null)]
    [InlineData("http://store/bucket/a%20b/other", null, null, null, null)]
    [InlineData("http://store/bucket", null, null, null, null)]
    [InlineData("ftp://other/", null, null, null, null)]
    [InlineData(null, null, null, null, null)]
    public void Follow_OtherStore_UsesTheLocationOfTheResponse(string? location, string? region, string? origin, string? prefix, string? signedRegion)
    {
        using AmazonS3Client s3 = Client(new AmazonS3Config { ServiceURL = "http://store:9000", ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
        StoreEndpoints endpoints = new(s3);

        StoreEndpoint? next = endpoints.Follow(endpoints.For("bucket"), "bucket", "a b/k", new Redirection(region, location is null ? null : new Uri(location), true));

        Assert.EachEqual((origin, prefix, signedRegion), (next?.Origin, next?.PathPrefix, next?.Region));
    }

    /// <summary>The path of the configured URL is kept if only the host changes, and can be gone if the location has the whole path.</summary>
    [Theory]
    [InlineData("https://eu.store/", "/base/bucket/")]
    [InlineData("https://store/base/bucket/k", "/base/bucket/")]
    [InlineData("https://store/bucket/k", "/bucket/")]
    [InlineData("https://bucket.store/k", "/")]
    [InlineData("https://bucket.store/", null)]
    [InlineData("https://store/other/bucket/k", null)]
    public void Follow_ServiceWithAPath_KeepsIt(string location, string? prefix)
    {
        using AmazonS3Client s3 = Client(new AmazonS3Config { ServiceURL = "http://store:9000/base", ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
        StoreEndpoints endpoints = new(s3);

        Assert.Equal(prefix, endpoints.Follow(endpoints.For("bucket"), "bucket", "k", new Redirection(null, new Uri(location), true))?.PathPrefix);
    }

    /// <summary>The first name of a host isn't a bucket only because a bucket has the same name.</summary>
    [Theory]
    [InlineData("https://s3.example/", "/s3/")]
    [InlineData("https://s3.example/s3/k", "/s3/")]
    [InlineData("https://s3.example/k", null)]
    [InlineData("https://s3.s3.example/k", "/")]
    public void Follow_BucketWithTheNameOfTheHost_IsInThePath(string location, string? prefix)
    {
        using AmazonS3Client s3 = Client(new AmazonS3Config { ServiceURL = "http://s3.example", ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
        StoreEndpoints endpoints = new(s3);

        Assert.Equal(prefix, endpoints.Follow(endpoints.For("s3"), "s3", "k", new Redirection(null, new Uri(location), true))?.PathPrefix);
    }

    [Theory]
    [InlineData("https://store:9001/", "/")]
    [InlineData("https://store:9001", "/")]
    [InlineData("https://store/bucket/", null)]
    public void Follow_ListOfBuckets_HasNoBucket(string location, string? prefix)
    {
        using AmazonS3Client s3 = Client(new AmazonS3Config { ServiceURL = "http://store:9000", ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
        StoreEndpoints endpoints = new(s3);

        Assert.Equal(prefix, endpoints.Follow(endpoints.For(string.Empty), string.Empty, string.Empty, new Redirection(null, new Uri(location), true))?.PathPrefix);
    }

    public static TheoryData<string, string, string?> PathStyles
    {
        get
        {
            TheoryData<string, string, string?> all = [];
            foreach (string url in (string[])["http://store:9000", "https://s3.example.com/", "https://store/a%20b/c/", "https://store/a%20b/c", "https://store/a b/Ü", "https://STORE:443", "http://store?x=y", "http://store/#part", "http://127.0.0.1:9000", "http://[::1]:9000", "https://s3.us-west-2.amazonaws.com", "http://stör.example"])
            {
                foreach (string bucket in (string[])["bucket", "a.b-c.1", "a..b", "-ab", "192.168.0.1", "x--y", "bucket--use1-az4--x-s3", "Upper_Case", "arn:aws:s3:us-west-2:123456789012:accesspoint:point"])
                {
                    all.Add(url, bucket, "us-east-1");
                    all.Add(url, bucket, "eu-west-1");
                    all.Add(url, bucket, null);
                }
            }

            return all;
        }
    }

    /// <summary>The rules of the SDK aren't evaluated where their result is known. It must be the same.</summary>
    [Theory]
    [MemberData(nameof(PathStyles))]
    public void For_PathStyle_IsTheEndpointOfTheSdk(string url, string bucket, string? region)
    {
        using AmazonS3Client s3 = Client(new AmazonS3Config { ServiceURL = url, ForcePathStyle = true, AuthenticationRegion = region });
        using AmazonS3Client withRules = Client(new AmazonS3Config { ServiceURL = url, ForcePathStyle = true, AuthenticationRegion = region, EndpointProvider = new Rules() });

        Assert.Equal(Find(withRules, bucket), Find(s3, bucket));
    }

    [Theory]
    [InlineData("https://s3.eu-west-1.amazonaws.com", true)]
    [InlineData("https://bucket.s3-eu-west-1.amazonaws.com", true)]
    [InlineData("https://a.bucket.s3.dualstack.eu-west-1.amazonaws.com", true)]
    [InlineData("https://bucket.s3-accelerate.amazonaws.com", true)]
    [InlineData("https://s3-fips.us-east-1.amazonaws.com", true)]
    [InlineData("https://s3.amazonaws.com", true)]
    [InlineData("https://s3.cn-north-1.amazonaws.com.cn", false)] // another partition
    [InlineData("https://s3.eu-west-1.evil.com", false)]
    [InlineData("https://s3.evilamazonaws.com", false)]
    [InlineData("https://s3.us-east-1.amazonaws.com.evil.com", false)]
    [InlineData("https://ec2-203-0-113-1.eu-west-1.compute.amazonaws.com", false)]
    [InlineData("https://abc.execute-api.us-east-1.amazonaws.com", false)]
    [InlineData("https://s3.a.b.amazonaws.com", false)]
    [InlineData("https://amazonaws.com", false)]
    [InlineData("https://127.0.0.1", false)]
    public void Owns_Aws_IsTrueForItsHosts(string origin, bool expected)
    {
        using AmazonS3Client s3 = Client(new AmazonS3Config { RegionEndpoint = RegionEndpoint.USEast1 });

        Assert.Equal(expected, new StoreEndpoints(s3).Owns(StoreEndpoint.At(new Uri(origin), "/", "us-east-1")));
    }

    [Theory]
    [InlineData("https://store.example", true)]
    [InlineData("https://store.example:9001", true)]
    [InlineData("https://bucket.STORE.example", true)]
    [InlineData("https://example", false)]
    [InlineData("https://otherstore.example", false)]
    [InlineData("https://store.example.evil", false)]
    [InlineData("https://s3.us-east-1.amazonaws.com", false)]
    public void Owns_OtherStore_IsTrueForItsHostAndSubdomains(string origin, bool expected)
    {
        using AmazonS3Client s3 = Client(new AmazonS3Config { ServiceURL = "https://store.example:9000", ForcePathStyle = true, AuthenticationRegion = "us-east-1" });

        Assert.Equal(expected, new StoreEndpoints(s3).Owns(StoreEndpoint.At(new Uri(origin), "/", "us-east-1")));
    }

    private static object Find(AmazonS3Client s3, string bucket)
    {
        try
        {
            return new StoreEndpoints(s3).For(bucket);
        }
        catch (WireException e)
        {
            return e.Message;
        }
    }

    /// <summary>The rules of the SDK, as those of another provider.</summary>
    private sealed class Rules : IEndpointProvider
    {
        private readonly AmazonS3EndpointProvider _provider = new();

        public Endpoint ResolveEndpoint(EndpointParameters parameters) => _provider.ResolveEndpoint(parameters);
    }

    private static AmazonS3Client Client(AmazonS3Config config) => new(new BasicAWSCredentials("a", "b"), config);
}
