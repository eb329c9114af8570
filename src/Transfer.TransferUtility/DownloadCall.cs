using System.Runtime.ExceptionServices;
using Amazon.Runtime;
using Amazon.S3.Model;
using Amazon.S3.Transfer;
using Transfer.S3.Download;
using Transfer.S3.Requests;

namespace Transfer.S3.TransferUtility;

/// <summary>Downloads one object to a file as the SDK does, with the events of its request.</summary>
/// <param name="runAsync">Performs the download.</param>
/// <param name="request">The request.</param>
/// <param name="time">The clock for the wait for listeners.</param>
/// <param name="hasResponse">Whether the call returns a response. Calls without one wrap exceptions that aren't those of the SDK.</param>
/// <param name="told">Called with the progress that the listeners of the request receive, and whether it is the last one.</param>
internal sealed class DownloadCall(
    Func<DownloadOptions, IProgress<TransferProgress>, CancellationToken, Task<CompletedDownload>> runAsync,
    TransferUtilityDownloadRequest request,
    TimeProvider time,
    bool hasResponse,
    Action<FileStep>? told = null) : IPartProgress
{
    private readonly ListenerQueue _listeners = new(time);
    private long _transferred;
    private long _heard;
    private long _total = -1;
    private bool _isAllTold;

    public DownloadCall(ITransferClient client, TransferUtilityDownloadRequest request, bool hasResponse)
        : this(
            (options, progress, token) => SendAsync(client, request, options, progress, token),
            request,
            (client as TransferClient)?.Context.Time ?? TimeProvider.System,
            hasResponse)
    {
    }

    /// <summary>Converts an exception to the one that the SDK would throw.</summary>
    public static Exception Failure(Exception e, bool hasResponse)
    {
        Exception failure = SdkFailures.Translate(e);
        bool isWrapped = !hasResponse && failure is not (ArgumentException or IOException or OperationCanceledException or AmazonServiceException or AmazonClientException);
        return isWrapped ? new AmazonServiceException(failure) : failure;
    }

    public async Task<TransferUtilityDownloadResponse> RunAsync(CancellationToken cancellationToken)
    {
        RequestChecks.Check(request);
        SdkUtilityMembers.RequireDownloads();
        SdkUtilityMembers.RaiseInitiated(request, SdkUtilityMembers.DownloadInitiated(request, request.FilePath));
        TransferUtilityDownloadResponse response;
        try
        {
            CompletedDownload download = await runAsync(DownloadMapping.Options(request), this, cancellationToken).ConfigureAwait(false);
            response = SdkResponses.From(download, tellsRange: hasResponse);
            await _listeners.WhenToldAsync().ConfigureAwait(false);
            if (hasResponse)
            {
                RaiseCompleted(response);
            }
        }
        catch (Exception e)
        {
            await _listeners.WhenToldAsync().ConfigureAwait(false);
            SdkUtilityMembers.RaiseFailed(request, SdkUtilityMembers.DownloadFailed(request, request.FilePath, _transferred, _total));
            ExceptionDispatchInfo.Throw(Failure(e, hasResponse));
            throw;
        }

        // Outside of the try block, an exception of a listener doesn't fail the download. The SDK's two implementations differ in this.
        if (!hasResponse)
        {
            RaiseCompleted(response);
        }

        return response;
    }

    // Calls don't overlap, and the last one is before the call returns.
    public void Report(TransferProgress value)
    {
        long increment = value.BytesTransferred - _transferred;
        _transferred = value.BytesTransferred;
        _total = value.TotalBytes ?? -1;
        if (increment > 0 || (_transferred == _total && !_isAllTold)) // the end of an empty object is reported too
        {
            _isAllTold = _transferred == _total;
            if (SdkUtilityMembers.Progress(request) is { } listeners)
            {
                (long transferred, long total, bool isAll) = (_transferred, _total, _isAllTold);
                _listeners.Add(() => Tell(listeners, transferred, total, isAll));
            }

            told?.Invoke(new FileStep(increment, _transferred, _total, _isAllTold));
        }
    }

    private static async Task<CompletedDownload> SendAsync(
        ITransferClient client, TransferUtilityDownloadRequest request, DownloadOptions options, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
        => client is TransferClient own
            ? await own.DownloadAsync(
                DownloadMapping.LikeSdk(own.Check(request.BucketName, request.Key, options, cancellationToken)), request.FilePath, options, progress, cancellationToken).ConfigureAwait(false)
            : new CompletedDownload(
                await client.DownloadAsync(request.BucketName, request.Key, request.FilePath, options, progress, cancellationToken).ConfigureAwait(false), Answer: null);

    private void Tell(EventHandler<WriteObjectProgressArgs> listeners, long transferred, long total, bool isAll)
    {
        WriteObjectProgressArgs args = SdkUtilityMembers.DownloadProgressed(
            request.BucketName, request.Key, request.FilePath, request.VersionId, Math.Max(0, transferred - _heard), transferred, total, isAll);
        SdkUtilityMembers.SetRequest(args, request);
        _heard = transferred;
        SdkEvents.Call(listeners, request, args);
    }

    private void RaiseCompleted(TransferUtilityDownloadResponse response)
    {
        long length = response.Headers.ContentLength;
        SdkUtilityMembers.RaiseCompleted(request, SdkUtilityMembers.DownloadCompleted(request, response, request.FilePath, length, length));
    }
}
