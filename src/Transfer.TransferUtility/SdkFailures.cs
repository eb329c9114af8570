using System.Net;
using System.Runtime.ExceptionServices;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Wire;

namespace Transfer.S3.TransferUtility;

/// <summary>Converts exceptions to those of the AWS SDK's utility.</summary>
internal static class SdkFailures
{
    /// <summary>Converts an exception to the one that the SDK would throw. The original exception is its inner exception.</summary>
    public static Exception Translate(Exception e) => e switch
    {
        // The SDK throws both types. A handler for the derived type must catch this too.
        OperationCanceledException and not TaskCanceledException => new TaskCanceledException(e.Message, e, ((OperationCanceledException)e).CancellationToken),
        TransferException transfer => OfTransfer(transfer),
        _ => e,
    };

    /// <summary>Throws the converted exception. An exception that needs no conversion keeps its stack trace.</summary>
    public static void Throw(Exception e) => ExceptionDispatchInfo.Throw(Translate(e));

    /// <summary>Converts the exception of a listing, for which the SDK has a special type if the bucket doesn't exist.</summary>
    public static Exception OfListing(Exception e)
        => Translate(e) is AmazonS3Exception { ErrorCode: "NoSuchBucket" } s and not NoSuchBucketException
            ? new NoSuchBucketException(s.Message, s.InnerException, s.ErrorType, s.ErrorCode, s.RequestId, s.StatusCode)
            : Translate(e);

    private static Exception OfTransfer(TransferException e)
    {
        // An exception of the caller's IAmazonS3, or of the SDK if it sent the request, is already the right one.
        if (Cause<AmazonServiceException>(e) is { } service)
        {
            return service;
        }

        if (e is ChecksumMismatchException)
        {
            return new AmazonClientException(e.Message, e);
        }

        if (e.StatusCode is not null)
        {
            return OfStore(e);
        }

        return e.InnerException switch
        {
            null => new AmazonServiceException(e.Message, e),
            WireException wire => Cause<HttpRequestException>(wire) is { } http ? new HttpRequestException(http.HttpRequestError, e.Message, e)
                : Cause<IOException>(wire) is not null ? new IOException(e.Message, e)
                : new AmazonServiceException(e.Message, e),
            { } local => local, // errors of the disk or the caller's stream are thrown unchanged; for connections, our message contains more
        };
    }

    private static AmazonS3Exception OfStore(TransferException e)
    {
        HttpStatusCode status = e.StatusCode!.Value;
        if (e.ErrorCode is not { } code)
        {
            string text = $"Error making request with Error Code {status} and Http Status Code {status}. No further error information was returned by the service.";
            return new AmazonS3Exception(text, e, ErrorType.Unknown, status.ToString(), e.RequestId, status);
        }

        // The message of the store follows the code.
        string said = e.InnerException?.Message ?? e.Message;
        string message = said.StartsWith(code + ": ", StringComparison.Ordinal) ? said[(code.Length + 2)..] : said;
        ErrorType type = (int)status >= 500 ? ErrorType.Receiver : ErrorType.Sender;
        return code switch
        {
            "NoSuchKey" => new NoSuchKeyException(message, e, type, code, e.RequestId, status),
            ErrorKinds.Archived => new InvalidObjectStateException(message, e, type, code, e.RequestId, status),
            _ => new AmazonS3Exception(message, e, type, code, e.RequestId, status),
        };
    }

    private static T? Cause<T>(Exception e)
        where T : Exception
    {
        Exception? cause = e.InnerException;
        while (cause is not null and not T)
        {
            cause = cause.InnerException;
        }

        return (T?)cause;
    }
}
