using Transfer.S3.Requests;

namespace Transfer.S3.Download;

/// <summary>Opens an object that a listing or a list of keys describes. If it was replaced after that, the new object counts.</summary>
internal static class ListedDownload
{
    /// <param name="run">The transfer.</param>
    /// <param name="request">The object, with the hint of its listing.</param>
    /// <param name="openAsync">Downloads or opens it. It is called a second time, without the hint, if the first time finds another object before anyone has seen data of it.</param>
    public static async Task<T> RunAsync<T>(TransferRun run, DownloadRequest request, Func<DownloadRequest, Task<T>> openAsync)
    {
        try
        {
            return await openAsync(request).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.ObjectChanged && request.Hint is not null)
        {
            run.Reporter.StartAgain();
            return await openAsync(request.WithoutHint).ConfigureAwait(false);
        }
    }
}
