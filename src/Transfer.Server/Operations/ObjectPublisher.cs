using Transfer.Server.Http;
using Transfer.Server.Storage;

namespace Transfer.Server.Operations;

/// <summary>Makes an object visible, in the journal and in memory at once.</summary>
internal static class ObjectPublisher
{
    /// <summary>Publishes an object. Its content becomes the bucket's, or is released when that fails.</summary>
    public static async Task PublishAsync(S3Exchange exchange, Bucket bucket, StoredObject value, WriteCondition condition)
    {
        bool isPublished = false;
        try
        {
            using IStagedRecord record = await exchange.Server.Journal.StageObjectAsync(bucket.Name, value, exchange.Aborted).ConfigureAwait(false);
            bucket.Publish(value, condition, record);
            isPublished = true;
        }
        finally
        {
            if (!isPublished)
            {
                value.Content.Release();
            }
        }
    }
}
