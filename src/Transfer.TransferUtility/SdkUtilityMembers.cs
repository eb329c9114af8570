using System.Runtime.CompilerServices;
using Amazon.S3.Model;
using Amazon.S3.Transfer;
using Transfer.S3.Wire;

namespace Transfer.S3.TransferUtility;

/// <summary>
/// All members of the AWS SDK that this assembly uses and that aren't public: those that raise the events of requests, create most of their arguments, tell whether there are
/// listeners, and convert responses. <c>docs/versions.md</c> lists them, and a test compares it with this file.
/// </summary>
/// <remarks>
/// Another version of the SDK can have changed them. So the first call of each kind uses them once with requests that have no listeners, and fails before anything is sent
/// if one of them is missing.
/// </remarks>
internal static class SdkUtilityMembers
{
    private const string Mapper = "Amazon.S3.Transfer.Internal.ResponseMapper, AWSSDK.S3";
    private static bool _canUpload;
    private static bool _canDownload;
    private static bool _canOpen;
    private static bool _canUploadDirectories;
    private static bool _canDownloadDirectories;

    /// <summary>Checks the members for uploads of one object.</summary>
    /// <exception cref="NotSupportedException">Thrown when the SDK doesn't have one of them.</exception>
    public static void RequireUploads() => Require(ref _canUpload, nameof(TransferUtilityUploadRequest), static () =>
    {
        TransferUtilityUploadRequest request = new();
        return
        [
            () => RaiseInitiated(request, UploadInitiated(request, null, 0)),
            () => RaiseCompleted(request, UploadCompleted(request, new TransferUtilityUploadResponse(), null, 0, 0)),
            () => RaiseFailed(request, UploadFailed(request, null, 0, 0)),
            () => UploadProgressed(0, 0, 0, 0, null, request),
            () => Progress(request),
            () => MapPut(null, new PutObjectResponse()),
            () => MapComplete(null, new CompleteMultipartUploadResponse()),
        ];
    });

    /// <summary>Checks the members for downloads of one object.</summary>
    /// <exception cref="NotSupportedException">Thrown when the SDK doesn't have one of them.</exception>
    public static void RequireDownloads() => Require(ref _canDownload, nameof(TransferUtilityDownloadRequest), static () =>
    {
        TransferUtilityDownloadRequest request = new();
        return
        [
            () => RaiseInitiated(request, DownloadInitiated(request, null)),
            () => RaiseCompleted(request, DownloadCompleted(request, new TransferUtilityDownloadResponse(), null, 0, 0)),
            () => RaiseFailed(request, DownloadFailed(request, null, 0, 0)),
            () => SetRequest(DownloadProgressed(string.Empty, string.Empty, null, null, 0, 0, 0, false), request),
            () => Progress(request),
            () => MapDownload(null, new GetObjectResponse()),
        ];
    });

    /// <summary>Checks the members for streams with a response.</summary>
    /// <exception cref="NotSupportedException">Thrown when the SDK doesn't have one of them.</exception>
    public static void RequireStreams()
        => Require(ref _canOpen, nameof(TransferUtilityOpenStreamRequest), static () => [() => MapOpenStream(null, new GetObjectResponse())]);

    /// <summary>Checks the members for uploads of directories and of their files.</summary>
    /// <exception cref="NotSupportedException">Thrown when the SDK doesn't have one of them.</exception>
    public static void RequireUploadDirectories()
    {
        RequireUploads();
        Require(ref _canUploadDirectories, nameof(TransferUtilityUploadDirectoryRequest), static () =>
        {
            TransferUtilityUploadDirectoryRequest request = new();
            TransferUtilityUploadRequest file = new();
            return
            [
                () => RaiseInitiated(request, UploadInitiated(request, 0, 0)),
                () => RaiseCompleted(request, UploadCompleted(request, new TransferUtilityUploadDirectoryResponse(), 0, 0, 0, 0)),
                () => RaiseFailed(request, UploadFailed(request, 0, 0, 0, 0)),
                () => RaiseFileFailed(request, FileFailed(request, file, new IOException())),
                () => RaiseFileRequest(request, file),
                () => SetMetadata(file, new MetadataCollection()),
                () => SetHeaders(file, new HeadersCollection()),
                () => Initiated(request),
                () => Progress(request),
                () => Failed(request),
                () => FileRequest(request),
            ];
        });
    }

    /// <summary>Checks the members for downloads of directories and of their files.</summary>
    /// <exception cref="NotSupportedException">Thrown when the SDK doesn't have one of them.</exception>
    public static void RequireDownloadDirectories()
    {
        RequireDownloads();
        Require(ref _canDownloadDirectories, nameof(TransferUtilityDownloadDirectoryRequest), static () =>
        {
            TransferUtilityDownloadDirectoryRequest request = new();
            TransferUtilityDownloadRequest file = new();
            return
            [
                () => RaiseInitiated(request, DownloadInitiated(request)),
                () => RaiseCompleted(request, DownloadCompleted(request, new TransferUtilityDownloadDirectoryResponse(), 0, 0, 0, 0)),
                () => RaiseFailed(request, DownloadFailed(request, 0, 0, 0, 0)),
                () => RaiseFileFailed(request, FileFailed(request, file, new IOException())),
                () => RaiseFileRequest(request, file),
                () => Progress(request),
                () => Failed(request),
                () => FileRequest(request),
            ];
        });
    }

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
    public static extern ref EventHandler<DownloadDirectoryFailedEventArgs>? Failed(TransferUtilityDownloadDirectoryRequest request);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "DownloadDirectoryFileRequestEvent")]
    public static extern ref EventHandler<DownloadDirectoryFileRequestArgs>? FileRequest(TransferUtilityDownloadDirectoryRequest request);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "UploadDirectoryInitiatedEvent")]
    public static extern ref EventHandler<UploadDirectoryInitiatedEventArgs>? Initiated(TransferUtilityUploadDirectoryRequest request);

    /// <summary>Gets the current progress listeners of a request.</summary>
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "UploadDirectoryProgressEvent")]
    public static extern ref EventHandler<UploadDirectoryProgressArgs>? Progress(TransferUtilityUploadDirectoryRequest request);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "UploadDirectoryFailedEvent")]
    public static extern ref EventHandler<UploadDirectoryFailedEventArgs>? Failed(TransferUtilityUploadDirectoryRequest request);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "UploadDirectoryFileRequestEvent")]
    public static extern ref EventHandler<UploadDirectoryFileRequestArgs>? FileRequest(TransferUtilityUploadDirectoryRequest request);

    [UnsafeAccessor(UnsafeAccessorKind.StaticMethod, Name = "MapGetObjectResponse")]
    public static extern TransferUtilityDownloadResponse MapDownload([UnsafeAccessorType(Mapper)] object? mapper, GetObjectResponse source);

    [UnsafeAccessor(UnsafeAccessorKind.StaticMethod, Name = "MapGetObjectResponseToOpenStream")]
    public static extern TransferUtilityOpenStreamResponse MapOpenStream([UnsafeAccessorType(Mapper)] object? mapper, GetObjectResponse source);

    [UnsafeAccessor(UnsafeAccessorKind.StaticMethod, Name = "MapPutObjectResponse")]
    public static extern TransferUtilityUploadResponse MapPut([UnsafeAccessorType(Mapper)] object? mapper, PutObjectResponse source);

    [UnsafeAccessor(UnsafeAccessorKind.StaticMethod, Name = "MapCompleteMultipartUploadResponse")]
    public static extern TransferUtilityUploadResponse MapComplete([UnsafeAccessorType(Mapper)] object? mapper, CompleteMultipartUploadResponse source);

    private static void Require(ref bool isThere, string request, Func<Action[]> createUses)
    {
        if (isThere && SdkMembers.Missing is null)
        {
            return;
        }

        foreach (Action use in (Action[])[() => SdkMembers.ThrowIfMissing(request), .. createUses()])
        {
            try
            {
                use();
            }
            catch (Exception e) when (SdkMembers.IsMissing(e))
            {
                throw SdkMembers.Failure($"that it needs ({e.Message})", $"The adapter can't send a {request}", e);
            }
#pragma warning disable CA1031 // any other exception shows that the member is there
            catch (Exception)
#pragma warning restore CA1031
            {
            }
        }

        isThere = true;
    }
}
