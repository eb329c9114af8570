using System.Net;
using System.Runtime.CompilerServices;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Bench.Operations;

/// <summary>Finds existing objects, and creates and deletes others.</summary>
/// <param name="s3">The client to list and delete objects with.</param>
/// <param name="connect">Creates a client for everything else. It is disposed before the measurement, to release its memory.</param>
/// <param name="bucket">The bucket.</param>
internal sealed class ObjectSource(IAmazonS3 s3, Func<TransferClient> connect, string bucket)
{
    /// <summary>The maximum number of objects. More wouldn't improve the result.</summary>
    public const int MaxListed = 10_000;

    private const int AtOnce = 16;

    /// <summary>Lists the first objects under a prefix, without folder objects.</summary>
    public async Task<ObjectSet> ListAsync(string prefix, CancellationToken cancellationToken)
    {
        List<StoredObject> found = [];
        await foreach (StoredObject listed in ListedAsync(prefix, cancellationToken).ConfigureAwait(false))
        {
            if (!listed.Key.EndsWith('/'))
            {
                found.Add(listed);
            }

            if (found.Count == MaxListed)
            {
                break;
            }
        }

        return found.Count > 0 ? new ObjectSet(bucket, prefix, false, found)
            : throw new UsageException($"there are no objects under s3://{bucket}/{Printable.Text(prefix)}; specify another prefix, --key, or --keys, or create objects with --generate");
    }

    /// <summary>Finds objects by their keys.</summary>
    public async Task<ObjectSet> FindAsync(IReadOnlyList<string> keys, CancellationToken cancellationToken)
    {
        StoredObject[] found = new StoredObject[keys.Count];
        TransferClient client = connect();
        await using (client.ConfigureAwait(false))
        {
            await Parallel.ForAsync(0, keys.Count, Options(cancellationToken), async (i, token) => found[i] = await FindAsync(client, keys[i], token).ConfigureAwait(false)).ConfigureAwait(false);
        }

        return new ObjectSet(bucket, string.Empty, false, found);
    }

    /// <summary>Uploads the objects of a set.</summary>
    public async Task MakeAsync(ObjectSet objects, Payload payload, CancellationToken cancellationToken)
    {
        TransferClient client = connect();
        await using (client.ConfigureAwait(false))
        {
            await Parallel.ForEachAsync(
                objects.Objects, Options(cancellationToken), async (one, token) => await client.UploadAsync(payload.Path, bucket, one.Key, cancellationToken: token).ConfigureAwait(false)).ConfigureAwait(false);
        }
    }

    /// <summary>Deletes everything under a prefix, including incomplete uploads.</summary>
    public async Task RemoveAsync(string prefix, CancellationToken cancellationToken)
    {
        TransferClient client = connect();
        await using (client.ConfigureAwait(false))
        {
            await client.AbortUploadsAsync(bucket, prefix, cancellationToken: cancellationToken).ConfigureAwait(false);
        }

        await Parallel.ForEachAsync(
            ListedAsync(prefix, cancellationToken), Options(cancellationToken), async (one, token) => await s3.DeleteObjectAsync(bucket, one.Key, token).ConfigureAwait(false)).ConfigureAwait(false);
    }

    private async Task<StoredObject> FindAsync(TransferClient client, string key, CancellationToken cancellationToken)
    {
        try
        {
            return new StoredObject(key, (await client.GetInfoAsync(bucket, key, cancellationToken: cancellationToken).ConfigureAwait(false)).Length);
        }
        catch (TransferException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            throw new UsageException($"there is no object s3://{bucket}/{Printable.Text(key)}", e);
        }
    }

    private static ParallelOptions Options(CancellationToken cancellationToken) => new() { MaxDegreeOfParallelism = AtOnce, CancellationToken = cancellationToken };

    private async IAsyncEnumerable<StoredObject> ListedAsync(string prefix, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        // Keys can contain characters that XML can't.
        ListObjectsV2Request request = new() { BucketName = bucket, Prefix = prefix, Encoding = EncodingType.Url };
        ListObjectsV2Response page;
        do
        {
            page = await s3.ListObjectsV2Async(request, cancellationToken).ConfigureAwait(false);
            bool encoded = page.Encoding == EncodingType.Url;
            foreach (S3Object listed in page.S3Objects ?? [])
            {
                yield return new StoredObject(encoded ? WebUtility.UrlDecode(listed.Key) : listed.Key, listed.Size ?? 0);
            }

            request.ContinuationToken = page.NextContinuationToken;
        }
        while (page.IsTruncated == true && !string.IsNullOrEmpty(page.NextContinuationToken));
    }
}
