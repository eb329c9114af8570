using System.Net;
using Microsoft.AspNetCore.Diagnostics;
using Transfer.S3;

namespace AspNetProxy;

/// <summary>
/// Responds to failed transfers with status codes. The details are logged, but not sent, because messages contain the name of the bucket. If the response has already
/// begun, ASP.NET Core closes the connection instead.
/// </summary>
internal sealed partial class StoreExceptionHandler(IProblemDetailsService problems, ILogger<StoreExceptionHandler> logger) : IExceptionHandler
{
    public async ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken)
    {
        if (httpContext.RequestAborted.IsCancellationRequested)
        {
            return true; // the client has gone away
        }

        int? status = exception switch
        {
            BadHttpRequestException request => request.StatusCode,
            TransferException { InnerException: BadHttpRequestException request } => request.StatusCode, // the body is too large, or could not be read
            TransferException { Error: TransferError.PreconditionFailed } => StatusCodes.Status412PreconditionFailed,
            TransferException { Error: TransferError.ObjectChanged } => StatusCodes.Status503ServiceUnavailable, // replaced while it was being sent: a second request gets the new one
            TransferException { StatusCode: HttpStatusCode.NotFound } => StatusCodes.Status404NotFound,
            TransferException { StatusCode: HttpStatusCode.ServiceUnavailable or HttpStatusCode.TooManyRequests } => StatusCodes.Status503ServiceUnavailable,
            TransferException => StatusCodes.Status502BadGateway,
            ArgumentException => StatusCodes.Status400BadRequest, // a key or a header that can't be sent to the store
            _ => null,
        };
        if (status is not { } code)
        {
            return false;
        }

        Failed(httpContext.Request.Method, httpContext.Request.Path.ToUriComponent(), code, exception.Message);
        httpContext.Response.StatusCode = code;
        await problems.TryWriteAsync(new ProblemDetailsContext { HttpContext = httpContext, ProblemDetails = { Status = code } });
        return true;
    }

    [LoggerMessage(1, LogLevel.Warning, "{Method} {Path} failed with status {Status}: {Error}")]
    private partial void Failed(string method, string path, int status, string error);
}
