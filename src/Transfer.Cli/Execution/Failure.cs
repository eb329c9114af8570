using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using Amazon.Runtime;
using Transfer.S3.Bench.Text;
using Transfer.S3.Bench.Workloads;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Execution;

/// <summary>An error as the user sees it: one line, an exit code, and the fields of --json.</summary>
/// <param name="ExitCode">The exit code of the tool.</param>
/// <param name="Message">One line, without secrets.</param>
/// <param name="Key">The key of the object.</param>
/// <param name="RequestId">The request ID, for the support of the store.</param>
internal sealed record Failure(int ExitCode, string Message, string? Key = null, string? RequestId = null)
{
    /// <param name="e">The error.</param>
    /// <param name="storeName">The name of the store; null if it isn't known.</param>
    /// <param name="cancellationToken">The token that an interruption cancels.</param>
    /// <param name="credentials">Where the credentials come from; null if that isn't known.</param>
    public static Failure From(Exception e, string? storeName, CancellationToken cancellationToken, string? credentials = null) => e switch
    {
        _ when FindLimit(e) is { } reached => new Failure(
            Cli.ExitCode.LimitReached, MessageStyle.Apply(OptionNames.Translate(reached.Message).Replace("the same call goes on later", "the same command goes on", StringComparison.Ordinal))),
        UsageException => new Failure(Cli.ExitCode.Usage, e.Message),
        OperationCanceledException when cancellationToken.IsCancellationRequested => new Failure(
            Cli.ExitCode.Interrupted, Line($"interrupted{Cleanup((e as TransferCanceledException)?.CleanupError)}")),
        _ when cancellationToken.IsCancellationRequested && e.WithCauses().Any(static cause => cause is OperationCanceledException) => new Failure(Cli.ExitCode.Interrupted, "interrupted"),
        DifferenceException difference => new Failure(Cli.ExitCode.Mismatch, Line(difference.Message), difference.Key),
        WorkloadException workload => new Failure(Cli.ExitCode.Failed, Line(workload.Message), workload.Key),
        ChecksumMismatchException mismatch => From(mismatch, Cli.ExitCode.Mismatch, storeName, credentials),
        TransferException { Error: TransferError.DeletionLimit } limit => From(limit, Cli.ExitCode.TooManyDeletions, storeName, credentials),
        TransferException { Error: TransferError.SourceMissing or TransferError.SourceEmpty or TransferError.Overlap } refused => From(refused, Cli.ExitCode.Usage, storeName, credentials),
        TransferException transfer => From(transfer, Cli.ExitCode.Failed, storeName, credentials),

        // Only the comparisons of bench and demo, and bench when it deletes its objects, send requests with the SDK's client.
        AmazonServiceException service => new Failure(
            Cli.ExitCode.Failed, Line($"{OneLine(e)}{Quote(service.ErrorCode, service.RequestId, e.Message)}{At(e, storeName)}{Trust(e)}"), null, NullIfEmpty(service.RequestId)),
        AmazonClientException => new Failure(Cli.ExitCode.Failed, Line($"{OneLine(e)}{At(e, storeName)}")),
        ArgumentException => new Failure(Cli.ExitCode.Usage, MessageStyle.Apply(OptionNames.Translate(OneLine(e)))),
        HttpRequestException or SocketException or IOException { InnerException: SocketException } => new Failure(Cli.ExitCode.Failed, $"{Printable.Line((Certificate(e) ?? e).Message)}{At(e, storeName)}{Trust(e)}"),
        IOException or UnauthorizedAccessException => new Failure(Cli.ExitCode.Failed, MessageStyle.Apply(Printable.Line(FileError.Clean(e.Message, e)))),
        _ => new Failure(Cli.ExitCode.Failed, $"unexpected error: {OneLine(e)} (add --debug to see the stack trace)"),
    };

    /// <summary>Finds the limit that has ended a transfer, also if its error is the cause of another one, such as a source that could not be deleted.</summary>
    private static TransferException? FindLimit(Exception e) => e.WithCauses().OfType<TransferException>().FirstOrDefault(static cause => cause.Error == TransferError.LimitReached);

    private static Failure From(TransferException e, int exitCode, string? storeName, string? credentials)
    {
        string where = e.Bucket is null ? string.Empty : $"s3://{e.Bucket}/{e.Key}: "; // the list of buckets is about none
        string what = (OfRegion(e) ?? OfBucket(e) ?? OfArchive(e) ?? Advice(e.ErrorCode, e.StatusCode, e.RequestId, credentials)) is { } advice ? where + advice + GetHint(e) : MessageStyle.Apply(FileError.Clean(GetMessage(e), e));
        what = string.IsNullOrEmpty(e.Key) ? what : what.Replace(e.Key, Printable.Text(e.Key), StringComparison.Ordinal); // a line break in the key must not end the line
        string side = e.CopySide switch { CopySide.Source => "source ", CopySide.Target => "target ", _ => string.Empty };
        return new Failure(exitCode, Line($"{side}{what}{Quote(e.ErrorCode, e.RequestId, what)}{At(e, storeName)}{Trust(e)}{Cleanup(e.CleanupError)}"), e.Key, e.RequestId);
    }

    /// <summary>Reports what could not be cleaned up, such as an incomplete multipart upload, which uses storage.</summary>
    private static string Cleanup(Exception? e) => e is null ? string.Empty : $"; and cleaning up failed: {e.Message}";

    /// <summary>Names the region that the store returned.</summary>
    private static string? OfRegion(TransferException e)
    {
        if (e.BucketRegion is not { } region)
        {
            return null;
        }

        string option = e.CopySide switch { CopySide.Source => "--from-region", CopySide.Target => "--to-region", _ => "--region" };
        return $"the {(e.Bucket is null ? "store" : "bucket")} is in the region {Printable.Text(region)}; specify it with {option} {Printable.Text(region)} or AWS_REGION";
    }

    /// <summary>Names the rule for names of buckets, if the bucket doesn't follow it, or if the store says so.</summary>
    private static string? OfBucket(TransferException e) => e switch
    {
        { ErrorCode: "InvalidBucketName", StatusCode: not null } => $"the name of the bucket is not valid; {BucketNameText.Rule}",
        { ErrorCode: "NoSuchBucket", Bucket: { } bucket } when !BucketNameText.IsValid(bucket) => $"there is no such bucket; {BucketNameText.Rule}",
        _ => null,
    };

    private static string? OfArchive(TransferException e) => e.Error == TransferError.Archived
        ? "the object is archived and can't be read; cp --archived restore requests its restoration, and 'transfer stat' shows when it can be read" : null;

    private static string GetMessage(TransferException e) => e.Error == TransferError.SourceEmpty ? e.Message.Replace("allow an empty source", "add --allow-empty-source", StringComparison.Ordinal)
        : string.IsNullOrEmpty(e.Hint) ? e.Message : e.Message.Replace(e.Hint, OptionNames.Translate(e.Hint), StringComparison.Ordinal);

    private static string GetHint(TransferException e) => string.IsNullOrEmpty(e.Hint) ? string.Empty : $"; {Printable.Text(OptionNames.Translate(e.Hint))}";

    private static string? Advice(string? code, HttpStatusCode? status, string? requestId, string? credentials) => code switch
    {
        "NoSuchBucket" => "there is no such bucket; run 'transfer ls' to list the buckets",
        "BucketNotEmpty" => "the bucket is not empty; only a bucket without objects and old versions can be removed",
        "BucketAlreadyOwnedByYou" => "the bucket already exists, and you own it",
        "BucketAlreadyExists" => "somebody else already has a bucket of this name; choose another one",
        "NoSuchKey" => "there is no such key",
        "InvalidAccessKeyId" => $"the store does not know {credentials ?? "the access key"}; run 'transfer whoami' with the same connection options to see what is used, or select a profile with --profile",
        "SignatureDoesNotMatch" => $"the store rejected the signature; check {GetSecret(credentials)} and the region",
        "ExpiredToken" or "ExpiredTokenException" or "InvalidToken" or "InvalidTokenId" => "the session token is not valid or has expired; sign in again",
        "AccessDenied" => "access denied; check the permissions of the credentials",
        "RequestTimeTooSkewed" => "the clock of this machine is wrong by more than the store accepts; set the clock",
        "PermanentRedirect" or "AuthorizationHeaderMalformed" or "IllegalLocationConstraintException" => "the bucket is in another region; specify it with --region or AWS_REGION",
        // Errors of HEAD requests have no body, so the SDK sets the error code.
        null or nameof(HttpStatusCode.NotFound) when status == HttpStatusCode.NotFound && !string.IsNullOrEmpty(requestId) => "there is no such object or bucket",
        null or nameof(HttpStatusCode.Forbidden) when status == HttpStatusCode.Forbidden && !string.IsNullOrEmpty(requestId) => "access denied, or the store rejected the credentials",
        _ => null,
    };

    private static string GetSecret(string? credentials)
        => credentials is null or AccessKeys.OfEnvironment ? "AWS_SECRET_ACCESS_KEY" : $"the secret of {credentials}";

    private static string Quote(string? code, string? requestId, string message)
    {
        string?[] facts =
        [
            string.IsNullOrEmpty(code) || Enum.TryParse<HttpStatusCode>(code, out _) || message.Contains(code, StringComparison.Ordinal) ? null : code,
            string.IsNullOrEmpty(requestId) || message.Contains(requestId, StringComparison.Ordinal) ? null : $"request id {requestId}",
        ];
        string text = string.Join(", ", facts.OfType<string>());
        return text.Length == 0 ? string.Empty : $" ({text})";
    }

    /// <summary>Gets the endpoint, if the error is that it did not respond, or not as S3 does.</summary>
    private static string At(Exception e, string? storeName)
    {
        bool isOfS3 = e is TransferException { ErrorCode: not null } or TransferException { RequestId.Length: > 0 } or AmazonServiceException { RequestId.Length: > 0 };
        bool asksStore = e is not TransferException || e.InnerException is not (null or IOException or UnauthorizedAccessException);
        return storeName is null || isOfS3 || !asksStore ? string.Empty : $" [{storeName}]";
    }

    /// <summary>Gets what to do about a certificate of an unknown CA.</summary>
    private static string Trust(Exception e)
        => Certificate(e) is { } failure && (failure.Message.Contains("UntrustedRoot", StringComparison.Ordinal) || failure.Message.Contains("PartialChain", StringComparison.Ordinal))
            ? "; for a private CA, specify its certificate with --ca-bundle"
            : string.Empty;

    private static AuthenticationException? Certificate(Exception e) => e.WithCauses().OfType<AuthenticationException>().FirstOrDefault();

    private static string OneLine(Exception e) => Printable.Line(e is ArgumentException argument ? WithoutParameter(argument) : e.Message);

    // .NET adds " (Parameter 'options')", which means nothing to a user.
    private static string WithoutParameter(ArgumentException e)
    {
        int end = e.Message.IndexOf(" (Parameter '", StringComparison.Ordinal);
        return end < 0 ? e.Message : e.Message[..end];
    }

    private static string Line(string text) => Printable.Line(text);

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;
}
