using System.Net;
using System.Net.Sockets;
using Transfer.S3.Cli.Credentials;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Commands;

/// <summary>Detects errors that every object would share, so that a copy can stop instead of trying all of them.</summary>
/// <param name="triesAll">Whether to try every object even if the first ones all fail with the same error.</param>
internal sealed class FatalErrorDetector(bool triesAll = false)
{
    /// <summary>The number of objects, from the first one on, that must fail with the same error for it to count as an error of every object.</summary>
    public const int MaxAlike = 1_000;

    /// <summary>The number of consecutive objects without a response from the store, each after all retries.</summary>
    private const int MaxUnanswered = 20;

    private const int NoSpaceLeft = 28;
    private const int QuotaExceeded = 122;
    private const int ReadOnlyFileSystem = 30;
    private const int DiskFull = unchecked((int)0x80070070);

    private int _unanswered;
    private int _alike;
    private (HttpStatusCode? Status, string? Code)? _error;
    private bool _hasSucceeded;

    /// <summary>Gets a value that indicates whether all objects so far have failed with the same error.</summary>
    public bool AllFailedAlike => _alike >= MaxAlike;

    /// <summary>Records that an object was copied or skipped, so the store responds.</summary>
    public void NoteSuccess()
    {
        _unanswered = 0;
        _hasSucceeded = true;
    }

    /// <summary>Counts the error of an object, and gets whether every other object would fail with it, too.</summary>
    public bool IsFatal(Exception error)
    {
        if (error is not TransferException e)
        {
            return false;
        }

        bool isUnanswered = e.StatusCode is null && e.WithCauses().Any(cause => cause is HttpRequestException or SocketException);
        _unanswered = isUnanswered ? _unanswered + 1 : 0;
        CountAlike(e);
        return _unanswered >= MaxUnanswered
            || AllFailedAlike
            || e.Error == TransferError.Credentials
            || e.ErrorCode is "NoSuchBucket" or "InvalidBucketName" or "PermanentRedirect" or "AuthorizationHeaderMalformed" or "IllegalLocationConstraintException"
            || e.WithCauses().Any(cause => cause is CredentialException or IOException { HResult: NoSpaceLeft or QuotaExceeded or ReadOnlyFileSystem or DiskFull });
    }

    /// <summary>Returns whether an error says that a limit such as --max-requests was reached, so that nothing failed.</summary>
    public static bool IsLimit(Exception error) => error.WithCauses().Any(static cause => cause is TransferException { Error: TransferError.LimitReached });

    private void CountAlike(TransferException e)
    {
        if (triesAll || _hasSucceeded || (e.StatusCode is null && e.Error != TransferError.Archived))
        {
            _alike = 0;
            return;
        }

        _alike = _error is null || _error == (e.StatusCode, e.ErrorCode) ? _alike + 1 : 1;
        _error = (e.StatusCode, e.ErrorCode);
    }
}
