using System.Net;
using Microsoft.AspNetCore.Diagnostics;
using Transfer.S3;

namespace FormUpload;

/// <summary>Responds to failed forms with status codes. The details are logged, but not sent, because messages contain the name of the bucket.</summary>
internal sealed partial class FormExceptionHandler(IProblemDetailsService problems, ILogger<FormExceptionHandler> logger) : IExceptionHandler
{
    public async ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken)
    {
        if (httpContext.RequestAborted.IsCancellationRequested)
        {
            return true; // the sender has gone away
        }

        // An upload that can't read the form wraps what the form has thrown.
        int? status = exception is TransferException { InnerException: InvalidDataException or IOException } ? GetStatus(exception.InnerException) : GetStatus(exception);
        if (status is not { } code)
        {
            return false;
        }

        Failed(httpContext.Request.Path.ToUriComponent(), code, exception.Message);
        httpContext.Response.StatusCode = code;
        await problems.TryWriteAsync(new ProblemDetailsContext { HttpContext = httpContext, ProblemDetails = { Status = code } });
        return true;
    }

    private static int? GetStatus(Exception exception) => exception switch
    {
        BadHttpRequestException request => request.StatusCode, // also 413, if the form is too large
        InvalidDataException or IOException or ArgumentException => StatusCodes.Status400BadRequest, // malformed, incomplete, or a header that can't be sent to the store
        TransferException { Error: TransferError.Throttled or TransferError.MemoryLimit } => StatusCodes.Status503ServiceUnavailable,
        TransferException { StatusCode: HttpStatusCode.ServiceUnavailable or HttpStatusCode.TooManyRequests } => StatusCodes.Status503ServiceUnavailable,
        TransferException => StatusCodes.Status502BadGateway,
        _ => null,
    };

    [LoggerMessage(1, LogLevel.Warning, "The form to {Path} failed with status {Status}: {Error}")]
    private partial void Failed(string path, int status, string error);
}
