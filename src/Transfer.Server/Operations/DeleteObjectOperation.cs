using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Locks;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Deletes an object or one of its versions. Deleting what doesn't exist succeeds.</summary>
internal static class DeleteObjectOperation
{
    public static Task AnswerAsync(S3Exchange exchange)
    {
        UnsupportedHeaders.ThrowIfAny(exchange.Http.Request.Headers);
        var item = new KeyDeletion { Key = exchange.Key, VersionId = exchange.Target.VersionId, IfMatch = exchange.Header("if-match"), BypassesGovernance = ObjectLockOperations.Bypasses(exchange) };
        exchange.Bucket.Delete([item], exchange.Server.Now);
        if (item.Error is not null)
        {
            throw item.Error;
        }

        ObjectHeaders.WriteVersion(exchange.Http.Response.Headers, item.DeletedId);
        if (item.IsDeleteMarker)
        {
            exchange.Http.Response.Headers["x-amz-delete-marker"] = "true";
        }

        return exchange.AnswerAsync(StatusCodes.Status204NoContent);
    }
}
