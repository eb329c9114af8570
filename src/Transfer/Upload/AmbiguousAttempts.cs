using System.Net;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>Tracks requests whose outcome is not known because the response was lost or came too late.</summary>
internal sealed class AmbiguousAttempts
{
    private bool _any;

    /// <summary>
    /// Gets a value that indicates whether a request may have reached the store and its response was lost. An error response of the store means that nothing was done. An
    /// error response of a gateway says nothing about the store behind it.
    /// </summary>
    public bool LostAnswer { get; private set; }

    /// <summary>Gets a value that indicates whether the store rejected an attempt because another write of the key was in progress.</summary>
    public bool WasConflict { get; private set; }

    /// <summary>Returns a value that indicates whether the store may have carried out the request although the last attempt failed.</summary>
    /// <remarks>
    /// After an attempt that did the work, the next one finds that the upload no longer exists or that the condition no longer holds. The SDK's own retries are not tracked, so
    /// NoSuchUpload alone is a reason to look.
    /// </remarks>
    public bool MayBeDone(WireException failure)
        => LostAnswer || failure.ErrorCode == "NoSuchUpload" || (_any && failure.StatusCode is HttpStatusCode.NotFound or HttpStatusCode.PreconditionFailed);

    /// <summary>Waits for the response to a request that was sent.</summary>
    public async Task<T> WatchAsync<T>(Task<T> request)
    {
        try
        {
            return await request.ConfigureAwait(false);
        }
        catch (WireException e) when (e.ErrorCode == ErrorKinds.Conflict)
        {
            WasConflict = true; // the store did nothing
            throw;
        }
        catch (Exception e) when (e is OperationCanceledException or WireException { Kind: FailureKind.Transient } || e is WireException failed && IsUnreadable(failed))
        {
            _any = true;
            LostAnswer |= e is not WireException failure || IsLost(failure);
            throw;
        }
    }

    private static bool IsLost(WireException failure) => failure.StatusCode switch
    {
        null => !WasNotSent(failure),
        HttpStatusCode.BadGateway or HttpStatusCode.GatewayTimeout => failure.ErrorCode is null,
        _ => IsUnreadable(failure),
    };

    /// <summary>Returns whether the status is a success, so that only the rest of the response is an error.</summary>
    private static bool IsUnreadable(WireException failure) => (int?)failure.StatusCode is >= 200 and < 300 && failure.ErrorCode is null;

    private static bool WasNotSent(WireException failure) => failure.InnerException is HttpRequestException
    {
        HttpRequestError: HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError or HttpRequestError.SecureConnectionError or HttpRequestError.ProxyTunnelError,
    };
}
