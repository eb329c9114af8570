using Transfer.S3.Requests;

namespace Transfer.S3.Upload;

/// <summary>A range of an open source, which is sent as some of the parts of a <see cref="SharedUpload"/>.</summary>
/// <param name="run">The transfer.</param>
/// <param name="request">The target. Its headers are those of an upload only after <see cref="DescribeAsync"/>.</param>
/// <param name="source">The source. It is bound to the state in which it was opened.</param>
/// <param name="origin">The offset of the range in the source.</param>
/// <param name="describeAsync">Gets what is needed to create the upload; null if the request contains it.</param>
/// <param name="closeAsync">Closes the source; null if there is nothing to close.</param>
internal sealed class UploadRange(
    TransferRun run, UploadRequest request, IUploadSource source, long origin, Func<CancellationToken, Task<UploadDescription>>? describeAsync = null, Func<ValueTask>? closeAsync = null) : IAsyncDisposable
{
    public TransferRun Run => run;

    public UploadRequest Request => request;

    public IUploadSource Source => source;

    public long Origin => origin;

    /// <summary>Gets a function that finds the cause of an error of a part; null if the error tells it.</summary>
    public Func<Exception, Task<Exception>>? ExplainAsync { get; init; }

    /// <summary>Gets what is needed to create the upload, and to tell at its end what the object is.</summary>
    public Task<UploadDescription> DescribeAsync(CancellationToken cancellationToken)
        => describeAsync is null ? Task.FromResult(new UploadDescription(request)) : describeAsync(cancellationToken);

    /// <summary>Returns whether the source is a file that isn't in the state anymore in which it was opened.</summary>
    public bool IsChanged() => source is FileSource file && !file.IsUnchanged();

    public ValueTask DisposeAsync() => closeAsync is null ? ValueTask.CompletedTask : closeAsync();
}
