using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Replaces attributes of an object. Everything else of it stays, even its last-modified time.</summary>
internal static class ObjectAttributeChange
{
    /// <param name="exchange">The request.</param>
    /// <param name="find">Gets the current object or version.</param>
    /// <param name="change">Returns the changed attributes. It is called again if the object was changed in the meantime.</param>
    public static async Task ApplyAsync(S3Exchange exchange, Func<S3Exchange, StoredObject> find, Func<ObjectAttributes, ObjectAttributes> change)
    {
        Bucket bucket = exchange.Bucket;
        bool isReplaced = false;
        while (!isReplaced)
        {
            StoredObject current = find(exchange);
            StoredObject changed = current with { Attributes = change(current.Attributes) };
            using IStagedRecord record = await exchange.Server.Journal.StageObjectAsync(bucket.Name, changed, exchange.Aborted).ConfigureAwait(false);
            isReplaced = bucket.TryReplace(current, changed, record);
            if (isReplaced)
            {
                ObjectHeaders.WriteVersion(exchange.Http.Response.Headers, changed.VersionId);
            }
        }
    }
}
