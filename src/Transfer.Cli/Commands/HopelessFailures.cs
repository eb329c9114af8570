using System.Net;
using System.Net.Sockets;

namespace Transfer.Cli.Commands;

/// <summary>Tells the failure of one object from one that all the others will share: to go on would only take the night.</summary>
/// <param name="triesAll">Whether every object is to be tried that may be different from the others.</param>
internal sealed class HopelessFailures(bool triesAll = false)
{
    /// <summary>How many objects must fail with the same error of the store, before any other outcome, until it is taken for that of all objects.</summary>
    public const int MaxAlike = 1_000;

    /// <summary>Objects in a row that got no answer from the store, each after all attempts.</summary>
    private const int MaxUnanswered = 20;

    private const int NoSpaceLeft = 28;
    private const int QuotaExceeded = 122;
    private const int DiskFull = unchecked((int)0x80070070);

    private int _unanswered;
    private int _alike;
    private (HttpStatusCode? Status, string? Code)? _error;
    private bool _hasMoved;

    /// <summary>Whether all objects so far have failed alike, which the others need not do.</summary>
    public bool AreAllAlike => _alike >= MaxAlike;

    /// <summary>An object was moved, or left alone because it was there already: the store is there.</summary>
    public void Moved()
    {
        _unanswered = 0;
        _hasMoved = true;
    }

    public bool Is(Exception error)
    {
        if (error is not TransferException e)
        {
            return false;
        }

        bool isUnanswered = e.StatusCode is null && Causes(e).Any(cause => cause is HttpRequestException or SocketException);
        _unanswered = isUnanswered ? _unanswered + 1 : 0;
        CountAlike(e);
        return _unanswered >= MaxUnanswered
            || AreAllAlike
            || e.ErrorCode is "NoSuchBucket" or "InvalidBucketName" or "InvalidAccessKeyId" or "SignatureDoesNotMatch" or "ExpiredToken" or "ExpiredTokenException" or "InvalidToken"
                or "RequestTimeTooSkewed" or "PermanentRedirect" or "AuthorizationHeaderMalformed" or "IllegalLocationConstraintException"
            || Causes(e).Any(cause => cause is IOException { HResult: NoSpaceLeft or QuotaExceeded or DiskFull });
    }

    private void CountAlike(TransferException e)
    {
        if (triesAll || _hasMoved || e.StatusCode is null)
        {
            _alike = 0;
            return;
        }

        _alike = _error is null || _error == (e.StatusCode, e.ErrorCode) ? _alike + 1 : 1;
        _error = (e.StatusCode, e.ErrorCode);
    }

    private static IEnumerable<Exception> Causes(Exception e)
    {
        for (Exception? cause = e; cause is not null; cause = cause.InnerException)
        {
            yield return cause;
        }
    }
}
