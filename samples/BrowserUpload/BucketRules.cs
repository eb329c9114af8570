using Amazon.S3;
using Amazon.S3.Model;

namespace BrowserUpload;

/// <summary>The rule of a bucket that lets browsers send parts to it from a page of another origin. In production, name the origin of your page.</summary>
internal static class BucketRules
{
    public static Task AllowBrowsersAsync(IAmazonS3 s3, string bucket) => s3.PutCORSConfigurationAsync(new PutCORSConfigurationRequest
    {
        BucketName = bucket,
        Configuration = new CORSConfiguration
        {
            Rules = [new CORSRule { AllowedOrigins = ["*"], AllowedMethods = ["GET", "PUT"], AllowedHeaders = ["*"], MaxAgeSeconds = 3600 }],
        },
    });
}
