using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Publishes an object in the journal and in memory.</summary>
internal static class ObjectPublisher
{
    /// <summary>Publishes an object, and puts the ID of its version into the response. Its content belongs to the bucket afterwards, and is released if publishing fails.</summary>
    public static async Task PublishAsync(S3Exchange exchange, Bucket bucket, StoredObject value, WriteCondition condition)
    {
        value = bucket.Settings.Lock?.Apply(value) ?? value;
        bool isPublished = false;
        try
        {
            using IStagedRecord record = await exchange.Server.Journal.StageObjectAsync(bucket.Name, value, exchange.Aborted).ConfigureAwait(false);
            string? versionId = bucket.Publish(value, condition, record).VersionId;
            isPublished = true;
            ObjectHeaders.WriteVersion(exchange.Http.Response.Headers, versionId);
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
