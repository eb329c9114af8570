using System.Net;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>Notices attempts to publish, or to begin an upload, of which nobody knows what the store did with them: an answer that was lost, or that came too late.</summary>
internal sealed class UnclearAttempts
{
    public bool Any { get; private set; }

    /// <summary>Whether a request went out, as far as can be told, that no answer came to: one with an error says that nothing was done.</summary>
    public bool LostAnswer { get; private set; }

    public async Task<T> WatchAsync<T>(Func<Task<T>> sendAsync)
    {
        try
        {
            return await sendAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException or WireException { Kind: FailureKind.Transient })
        {
            Any = true;
            LostAnswer |= e is not WireException failure || (failure.StatusCode is null or HttpStatusCode.OK && !WasNotSent(failure));
            throw;
        }
    }

    private static bool WasNotSent(WireException failure) => failure.InnerException is HttpRequestException
    {
        HttpRequestError: HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError or HttpRequestError.SecureConnectionError or HttpRequestError.ProxyTunnelError,
    };
}
