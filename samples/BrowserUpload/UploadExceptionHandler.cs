using Microsoft.AspNetCore.Diagnostics;
using Microsoft.AspNetCore.Mvc;
using Transfer.S3;

namespace BrowserUpload;

/// <summary>Tells the browser what it can do about an error, and nothing about the store.</summary>
internal sealed class UploadExceptionHandler(IProblemDetailsService problems) : IExceptionHandler
{
    public async ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken)
    {
        (int status, string title) = exception switch
        {
            BadHttpRequestException bad => (bad.StatusCode, bad.Message),
            ArgumentException => (StatusCodes.Status400BadRequest, "The request isn't valid."),
            TransferException { Error: TransferError.UploadIncomplete } => (StatusCodes.Status409Conflict, "Parts are missing."),
            TransferException { Error: TransferError.UploadNotFound } => (StatusCodes.Status410Gone, "The upload doesn't exist anymore."),
            TransferException { Error: TransferError.ChecksumMismatch } => (StatusCodes.Status422UnprocessableEntity, "The content was damaged."),
            TransferException => (StatusCodes.Status502BadGateway, "The store can't be used at the moment."),
            _ => (StatusCodes.Status500InternalServerError, "The request failed."),
        };
        httpContext.Response.StatusCode = status;
        return await problems.TryWriteAsync(new ProblemDetailsContext { HttpContext = httpContext, ProblemDetails = new ProblemDetails { Status = status, Title = title } });
    }
}
