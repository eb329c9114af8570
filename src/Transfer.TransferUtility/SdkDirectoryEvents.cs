using System.Runtime.CompilerServices;
using Amazon.S3.Model;
using Amazon.S3.Transfer;

namespace Transfer.S3.TransferUtility;

/// <summary>
/// Raises the events of the AWS SDK's requests for directories, as <see cref="SdkEvents"/> does for single files, and determines whether there are listeners.
/// </summary>
internal static class SdkDirectoryEvents
{
    /// <summary>Returns whether a listener receives the number of files before the first one is transferred, or which of them failed.</summary>
    public static bool TellsTotals(TransferUtilityDownloadDirectoryRequest request) => Progress(request) is not null || Failed(request) is not null;

    /// <summary>Returns whether a listener receives the number of files before the first one is transferred, or which of them failed.</summary>
    public static bool TellsTotals(TransferUtilityUploadDirectoryRequest request)
        => Initiated(request) is not null || Progress(request) is not null || Failed(request) is not null;

    /// <summary>Returns whether a listener receives events for each file.</summary>
    public static bool TellsFiles(TransferUtilityDownloadDirectoryRequest request) => Progress(request) is not null || FileRequest(request) is not null;

    /// <summary>Returns whether a listener receives events for each file.</summary>
    public static bool TellsFiles(TransferUtilityUploadDirectoryRequest request) => Progress(request) is not null || FileRequest(request) is not null;

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseDownloadDirectoryInitiatedEvent")]
    public static extern void RaiseInitiated(TransferUtilityDownloadDirectoryRequest request, DownloadDirectoryInitiatedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseDownloadDirectoryCompletedEvent")]
    public static extern void RaiseCompleted(TransferUtilityDownloadDirectoryRequest request, DownloadDirectoryCompletedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseDownloadDirectoryFailedEvent")]
    public static extern void RaiseFailed(TransferUtilityDownloadDirectoryRequest request, DownloadDirectoryFailedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseObjectDownloadFailedEvent")]
    public static extern void RaiseFileFailed(TransferUtilityDownloadDirectoryRequest request, ObjectDownloadFailedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "RaiseDownloadDirectoryFileRequestEvent")]
    public static extern void RaiseFileRequest(TransferUtilityDownloadDirectoryRequest request, TransferUtilityDownloadRequest file);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseUploadDirectoryInitiatedEvent")]
    public static extern void RaiseInitiated(TransferUtilityUploadDirectoryRequest request, UploadDirectoryInitiatedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseUploadDirectoryCompletedEvent")]
    public static extern void RaiseCompleted(TransferUtilityUploadDirectoryRequest request, UploadDirectoryCompletedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseUploadDirectoryFailedEvent")]
    public static extern void RaiseFailed(TransferUtilityUploadDirectoryRequest request, UploadDirectoryFailedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "OnRaiseObjectUploadFailedEvent")]
    public static extern void RaiseFileFailed(TransferUtilityUploadDirectoryRequest request, ObjectUploadFailedEventArgs args);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "RaiseUploadDirectoryFileRequestEvent")]
    public static extern void RaiseFileRequest(TransferUtilityUploadDirectoryRequest request, TransferUtilityUploadRequest file);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern DownloadDirectoryInitiatedEventArgs DownloadInitiated(TransferUtilityDownloadDirectoryRequest request);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern DownloadDirectoryCompletedEventArgs DownloadCompleted(
        TransferUtilityDownloadDirectoryRequest request,
        TransferUtilityDownloadDirectoryResponse response,
        long transferredBytes,
        long totalBytes,
        long transferredFiles,
        long totalFiles);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern DownloadDirectoryFailedEventArgs DownloadFailed(
        TransferUtilityDownloadDirectoryRequest request, long transferredBytes, long totalBytes, long transferredFiles, long totalFiles);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern ObjectDownloadFailedEventArgs FileFailed(
        TransferUtilityDownloadDirectoryRequest request, TransferUtilityDownloadRequest file, Exception error);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern UploadDirectoryInitiatedEventArgs UploadInitiated(TransferUtilityUploadDirectoryRequest request, long totalFiles, long totalBytes);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern UploadDirectoryCompletedEventArgs UploadCompleted(
        TransferUtilityUploadDirectoryRequest request,
        TransferUtilityUploadDirectoryResponse response,
        long transferredFiles,
        long totalFiles,
        long transferredBytes,
        long totalBytes);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern UploadDirectoryFailedEventArgs UploadFailed(
        TransferUtilityUploadDirectoryRequest request, long transferredFiles, long totalFiles, long transferredBytes, long totalBytes);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    public static extern ObjectUploadFailedEventArgs FileFailed(TransferUtilityUploadDirectoryRequest request, TransferUtilityUploadRequest file, Exception error);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "set_Metadata")]
    public static extern void SetMetadata(BaseUploadRequest request, MetadataCollection metadata);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "set_Headers")]
    public static extern void SetHeaders(BaseUploadRequest request, HeadersCollection headers);

    /// <summary>Gets the current progress listeners of a request.</summary>
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "DownloadedDirectoryProgressEvent")]
    public static extern ref EventHandler<DownloadDirectoryProgressArgs>? Progress(TransferUtilityDownloadDirectoryRequest request);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "DownloadDirectoryFailedEvent")]
    private static extern ref EventHandler<DownloadDirectoryFailedEventArgs>? Failed(TransferUtilityDownloadDirectoryRequest request);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "DownloadDirectoryFileRequestEvent")]
    private static extern ref EventHandler<DownloadDirectoryFileRequestArgs>? FileRequest(TransferUtilityDownloadDirectoryRequest request);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "UploadDirectoryInitiatedEvent")]
    private static extern ref EventHandler<UploadDirectoryInitiatedEventArgs>? Initiated(TransferUtilityUploadDirectoryRequest request);

    /// <summary>Gets the current progress listeners of a request.</summary>
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "UploadDirectoryProgressEvent")]
    public static extern ref EventHandler<UploadDirectoryProgressArgs>? Progress(TransferUtilityUploadDirectoryRequest request);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "UploadDirectoryFailedEvent")]
    private static extern ref EventHandler<UploadDirectoryFailedEventArgs>? Failed(TransferUtilityUploadDirectoryRequest request);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "UploadDirectoryFileRequestEvent")]
    private static extern ref EventHandler<UploadDirectoryFileRequestArgs>? FileRequest(TransferUtilityUploadDirectoryRequest request);
}
