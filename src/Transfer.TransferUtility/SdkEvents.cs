using System.Runtime.CompilerServices;
using Amazon.S3.Model;
using Amazon.S3.Transfer;

namespace Transfer.S3.TransferUtility;

/// <summary>
/// Raises the events of the AWS SDK's requests. The members that raise them and create most of their arguments are internal to the SDK and are accessed as such.
/// Only progress isn't raised by the SDK's members, because they put it into a queue that drops events: its listeners are called through a
/// <see cref="ListenerQueue"/>. A test compares all of these members with the referenced SDK.
/// </summary>
internal static class SdkEvents
{
    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseTransferInitiatedEvent")]
    public static extern void RaiseInitiated(TransferUtilityUploadRequest request, UploadInitiatedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseTransferCompletedEvent")]
    public static extern void RaiseCompleted(TransferUtilityUploadRequest request, UploadCompletedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseTransferFailedEvent")]
    public static extern void RaiseFailed(TransferUtilityUploadRequest request, UploadFailedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern UploadInitiatedEventArgs UploadInitiated(TransferUtilityUploadRequest request, string? filePath, long totalBytes);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern UploadProgressArgs UploadProgressed(
        long increment, long transferred, long total, long compensationForRetry, string? filePath, TransferUtilityUploadRequest request);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern UploadCompletedEventArgs UploadCompleted(
        TransferUtilityUploadRequest request, TransferUtilityUploadResponse response, string? filePath, long transferredBytes, long totalBytes);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern UploadFailedEventArgs UploadFailed(TransferUtilityUploadRequest request, string? filePath, long transferredBytes, long totalBytes);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseTransferInitiatedEvent")]
    public static extern void RaiseInitiated(TransferUtilityDownloadRequest request, DownloadInitiatedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseTransferCompletedEvent")]
    public static extern void RaiseCompleted(TransferUtilityDownloadRequest request, DownloadCompletedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseTransferFailedEvent")]
    public static extern void RaiseFailed(TransferUtilityDownloadRequest request, DownloadFailedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern DownloadInitiatedEventArgs DownloadInitiated(TransferUtilityDownloadRequest request, string? filePath);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern WriteObjectProgressArgs DownloadProgressed(
        string bucket, string key, string? filePath, string? versionId, long increment, long transferred, long total, bool completed);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "set_Request")]
    public static extern void SetRequest(WriteObjectProgressArgs args, TransferUtilityDownloadRequest request);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern DownloadCompletedEventArgs DownloadCompleted(
        TransferUtilityDownloadRequest request, TransferUtilityDownloadResponse response, string? filePath, long transferredBytes, long totalBytes);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern DownloadFailedEventArgs DownloadFailed(TransferUtilityDownloadRequest request, string? filePath, long transferredBytes, long totalBytes);

    /// <summary>Gets the current progress listeners of a request.</summary>
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "UploadProgressEvent")]
    public static extern ref EventHandler<UploadProgressArgs>? Progress(TransferUtilityUploadRequest request);

    /// <summary>Gets the current progress listeners of a request.</summary>
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "WriteObjectProgressEvent")]
    public static extern ref EventHandler<WriteObjectProgressArgs>? Progress(TransferUtilityDownloadRequest request);

    /// <summary>Calls all listeners of one event. Exceptions that they throw are ignored.</summary>
    public static void Call<T>(EventHandler<T> listeners, object sender, T args)
    {
        foreach (EventHandler<T> listener in Delegate.EnumerateInvocationList(listeners))
        {
            try
            {
                listener(sender, args);
            }
#pragma warning disable CA1031 // an exception of a listener affects neither the transfer nor other listeners; the SDK ignores it too
            catch (Exception)
#pragma warning restore CA1031
            {
            }
        }
    }
}
