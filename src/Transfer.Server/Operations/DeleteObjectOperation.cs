using Microsoft.AspNetCore.Http;
using Transfer.Server.Http;

namespace Transfer.Server.Operations;

/// <summary>Deletes an object. Deleting an object that doesn't exist succeeds.</summary>
internal static class DeleteObjectOperation
{
    public static Task AnswerAsync(S3Exchange exchange)
    {
        UnsupportedHeaders.ThrowIfAny(exchange.Http.Request.Headers);
        exchange.Bucket.Delete(exchange.Key, exchange.Header("if-match"), exchange.Server.Now);
        return exchange.AnswerAsync(StatusCodes.Status204NoContent);
    }
}
