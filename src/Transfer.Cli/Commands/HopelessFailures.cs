using System.Net.Sockets;

namespace Transfer.Cli.Commands;

/// <summary>Tells the failure of one object from one that all the others will share: to go on would only take the night.</summary>
internal sealed class HopelessFailures
{
    /// <summary>Objects in a row that got no answer from the store, each after all attempts.</summary>
    private const int MaxUnanswered = 20;

    private const int NoSpaceLeft = 28;
    private const int QuotaExceeded = 122;
    private const int DiskFull = unchecked((int)0x80070070);

    private int _unanswered;

    /// <summary>An object was moved: the store is there.</summary>
    public void Moved() => _unanswered = 0;

    public bool Is(Exception error)
    {
        if (error is not TransferException e)
        {
            return false;
        }

        bool isUnanswered = e.StatusCode is null && Causes(e).Any(cause => cause is HttpRequestException or SocketException);
        _unanswered = isUnanswered ? _unanswered + 1 : 0;
        return _unanswered >= MaxUnanswered
            || e.ErrorCode is "NoSuchBucket" or "InvalidAccessKeyId" or "SignatureDoesNotMatch" or "ExpiredToken" or "ExpiredTokenException" or "InvalidToken"
                or "RequestTimeTooSkewed" or "PermanentRedirect" or "AuthorizationHeaderMalformed" or "IllegalLocationConstraintException"
            || Causes(e).Any(cause => cause is IOException { HResult: NoSpaceLeft or QuotaExceeded or DiskFull });
    }

    private static IEnumerable<Exception> Causes(Exception e)
    {
        for (Exception? cause = e; cause is not null; cause = cause.InnerException)
        {
            yield return cause;
        }
    }
}
