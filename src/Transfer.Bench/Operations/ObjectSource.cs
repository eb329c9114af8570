using Amazon.S3;

namespace Transfer.S3.Bench.Operations;

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
        TransferClient client = connect();
        await using (client.ConfigureAwait(false))
        {
            List<StoredObject> found = await client.ListObjectsAsync(bucket, prefix, cancellationToken: cancellationToken)
                .Where(static listed => !listed.Key.EndsWith('/'))
                .Take(MaxListed)
                .Select(static listed => new StoredObject(listed.Key, listed.Length))
                .ToListAsync(cancellationToken).ConfigureAwait(false);
            return new ObjectSet(bucket, prefix, false, found);
        }
    }

    /// <summary>Finds objects by their keys.</summary>
    /// <exception cref="TransferException">Thrown with the status 404 and the key when an object doesn't exist.</exception>
    public async Task<ObjectSet> FindAsync(IReadOnlyList<string> keys, CancellationToken cancellationToken)
    {
        StoredObject[] found = new StoredObject[keys.Count];
        TransferClient client = connect();
        await using (client.ConfigureAwait(false))
        {
            await Parallel.ForAsync(
                0,
                keys.Count,
                Options(cancellationToken),
                async (i, token) => found[i] = new StoredObject(keys[i], (await client.GetInfoAsync(bucket, keys[i], cancellationToken: token).ConfigureAwait(false)).Length)).ConfigureAwait(false);
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

    private static ParallelOptions Options(CancellationToken cancellationToken) => new() { MaxDegreeOfParallelism = AtOnce, CancellationToken = cancellationToken };
}
