using System.Runtime.ExceptionServices;
using Amazon.S3.Transfer;
using Transfer.S3.Requests;
using Transfer.S3.Upload;

namespace Transfer.S3.TransferUtility;

/// <summary>Uploads one object as the SDK does, with the events of its request, and resets and closes its stream as the request specifies.</summary>
/// <param name="client">The client.</param>
/// <param name="request">The request.</param>
/// <param name="threshold">The number of bytes from which on the SDK uploads in parts.</param>
/// <param name="told">Called with the progress that the listeners of the request receive, and whether it is the last one.</param>
internal sealed class UploadCall(ITransferClient client, TransferUtilityUploadRequest request, long threshold, Action<FileStep>? told = null) : IPartProgress
{
    private readonly ListenerQueue _listeners = new((client as TransferClient)?.Context.Time ?? TimeProvider.System);
    private long _transferred;
    private long _heard;

    public async Task<TransferUtilityUploadResponse> RunAsync(CancellationToken cancellationToken)
    {
        SdkUtilityMembers.RequireUploads();
        Stream? stream = string.IsNullOrEmpty(request.FilePath) ? request.InputStream : null;
        long total = GetLength(stream);
        bool isInParts = total < 0 || total >= threshold;
        UploadOptions options = UploadMapping.Options(request, isInParts);
        if (stream is { CanSeek: true } && request.AutoResetStreamPosition && !isInParts)
        {
            // The SDK resets only what it uploads with a single request, and decides that by what follows the position.
            stream.Seek(0, SeekOrigin.Begin);
            total = GetLength(stream);
            options = total < threshold ? options : options with { MultipartThresholdBytes = Math.Min(total + 1, TransferDefaults.MaxPutBytes) };
        }

        try
        {
            SdkUtilityMembers.RaiseInitiated(request, SdkUtilityMembers.UploadInitiated(request, request.FilePath, total));
        }
        catch when (!isInParts)
        {
            // An exception of a listener fails the upload only if the SDK would use a single request.
            RaiseFailed(total);
            throw;
        }

        try
        {
            CompletedUpload upload = client is TransferClient own
                ? await SendAsync(own, stream, options, cancellationToken).ConfigureAwait(false)
                : new CompletedUpload(await SendAsync(stream, options, cancellationToken).ConfigureAwait(false), Published: null);
            TransferUtilityUploadResponse response = SdkResponses.From(upload, request);
            await _listeners.WhenToldAsync().ConfigureAwait(false);
            SdkUtilityMembers.RaiseCompleted(request, SdkUtilityMembers.UploadCompleted(request, response, request.FilePath, upload.Result.Statistics.BytesTransferred, total));
            return response;
        }
        catch (Exception e)
        {
            await _listeners.WhenToldAsync().ConfigureAwait(false);
            RaiseFailed(total);
            ExceptionDispatchInfo.Throw(SdkFailures.Translate(e));
            throw;
        }
        finally
        {
            if (stream is not null && request.AutoCloseStream)
            {
                await stream.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    // Calls don't overlap, and the last one is before the call returns.
    public void Report(TransferProgress value)
    {
        long increment = value.BytesTransferred - _transferred;
        _transferred = value.BytesTransferred;
        if (increment > 0 && value.TotalBytes is { } total)
        {
            if (SdkUtilityMembers.Progress(request) is { } listeners)
            {
                _listeners.Add(() => Tell(listeners, value.BytesTransferred, total));
            }

            told?.Invoke(new FileStep(increment, _transferred, total, _transferred == total));
        }
    }

    /// <summary>Uploads a file with a client of the library.</summary>
    public static Task<CompletedUpload> SendFileAsync(
        TransferClient client, TransferUtilityUploadRequest file, UploadOptions options, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
    {
        UploadRequest upload = UploadMapping.LikeSdk(client.Check(file.BucketName, file.Key, options, cancellationToken, file.FilePath));
        return client.UploadAsync(file.FilePath, upload, options, progress, cancellationToken);
    }

    private Task<CompletedUpload> SendAsync(TransferClient own, Stream? stream, UploadOptions options, CancellationToken cancellationToken) => stream is null
        ? SendFileAsync(own, request, options, this, cancellationToken)
        : own.UploadAsync(stream, UploadMapping.LikeSdk(own.Check(request.BucketName, request.Key, options, cancellationToken)), options, this, cancellationToken);

    private Task<UploadResult> SendAsync(Stream? stream, UploadOptions options, CancellationToken cancellationToken) => stream is null
        ? client.UploadAsync(request.FilePath, request.BucketName, request.Key, options, this, cancellationToken)
        : client.UploadAsync(stream, request.BucketName, request.Key, options, this, cancellationToken);

    private void Tell(EventHandler<UploadProgressArgs> listeners, long transferred, long total)
    {
        UploadProgressArgs args = SdkUtilityMembers.UploadProgressed(transferred - _heard, transferred, total, 0, request.FilePath, request);
        _heard = transferred;
        SdkEvents.Call(listeners, request, args);
    }

    private void RaiseFailed(long total) => SdkUtilityMembers.RaiseFailed(request, SdkUtilityMembers.UploadFailed(request, request.FilePath, _transferred, total));

    /// <summary>Gets the number of bytes to upload; -1 if the stream doesn't have a length.</summary>
    private long GetLength(Stream? stream)
    {
        try
        {
            return stream is null ? new FileInfo(request.FilePath).Length
                : stream.Length < 0 ? -1
                : Math.Max(0, stream.Length - stream.Position);
        }
        catch (NotSupportedException)
        {
            return -1;
        }
    }
}
