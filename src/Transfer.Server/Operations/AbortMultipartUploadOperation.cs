using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Aborts a multipart upload and deletes its parts.</summary>
internal static class AbortMultipartUploadOperation
{
    public static async Task AnswerAsync(S3Exchange exchange)
    {
        UnsupportedHeaders.ThrowIfAny(exchange.Http.Request.Headers);
        Bucket bucket = exchange.Bucket;
        MultipartUpload upload = bucket.Upload(exchange.Target.Query["uploadId"]!, exchange.Key);
        await upload.Ending.WaitAsync(exchange.Aborted).ConfigureAwait(false);
        try
        {
            if (upload.IsClosed)
            {
                throw S3Errors.NoSuchUpload(upload.UploadId);
            }

            bucket.End(upload, completed: null);
        }
        finally
        {
            upload.Ending.Release();
        }

        await exchange.AnswerAsync(StatusCodes.Status204NoContent).ConfigureAwait(false);
    }
}
