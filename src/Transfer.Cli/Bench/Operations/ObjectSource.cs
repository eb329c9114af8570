using System.Net;
using Amazon.S3;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Bench.Operations;

/// <summary>Finds existing objects, and creates and deletes others.</summary>
/// <param name="s3">The client to delete objects with.</param>
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
        List<StoredObject> found;
        TransferClient client = connect();
        await using (client.ConfigureAwait(false))
        {
            found = await client.ListObjectsAsync(bucket, prefix, cancellationToken: cancellationToken)
                .Where(static listed => !listed.Key.EndsWith('/'))
                .Take(MaxListed)
                .Select(static listed => new StoredObject(listed.Key, listed.Length))
                .ToListAsync(cancellationToken).ConfigureAwait(false);
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
            await Parallel.ForEachAsync(
                client.ListObjectsAsync(bucket, prefix, cancellationToken: cancellationToken),
                Options(cancellationToken),
                async (one, token) => await s3.DeleteObjectAsync(bucket, one.Key, token).ConfigureAwait(false)).ConfigureAwait(false);
        }
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
}
