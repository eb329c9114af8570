using Amazon.Runtime;
using Amazon.S3.Model;

namespace Transfer.Wire.Sdk;

internal sealed partial class SdkWire
{
    public Task SetTagsAsync(ObjectAddress address, IReadOnlyDictionary<string, string> tags, CancellationToken cancellationToken)
    {
        if (tags.Count == 0)
        {
            return SendAsync(
                () => s3.DeleteObjectTaggingAsync(
                    new DeleteObjectTaggingRequest { BucketName = address.Bucket, Key = address.Key, VersionId = address.VersionId }, cancellationToken),
                cancellationToken);
        }

        PutObjectTaggingRequest request = new()
        {
            BucketName = address.Bucket,
            Key = address.Key,
            VersionId = address.VersionId,
            RequestPayer = Payer(address),
            Tagging = new Tagging { TagSet = [.. tags.Select(static tag => new Tag { Key = tag.Key, Value = tag.Value })] },
        };
        return SendAsync(() => s3.PutObjectTaggingAsync(request, cancellationToken), cancellationToken);
    }

    public Task CreateBucketAsync(string bucket, CancellationToken cancellationToken)
    {
        PutBucketRequest request = new() { BucketName = bucket, UseClientRegion = true };
        return SendAsync(() => s3.PutBucketAsync(request, cancellationToken), cancellationToken);
    }

    public Task DeleteBucketAsync(string bucket, CancellationToken cancellationToken)
        => SendAsync(() => s3.DeleteBucketAsync(new DeleteBucketRequest { BucketName = bucket }, cancellationToken), cancellationToken);

    private static async Task SendAsync<T>(Func<Task<T>> sendAsync, CancellationToken cancellationToken)
        where T : AmazonWebServiceResponse
    {
        try
        {
            await LateResults.WaitAsync(sendAsync(), cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            throw SdkErrors.Translate(e, cancellationToken);
        }
    }
}
