using Amazon.S3.Transfer;
using Transfer.S3.Concurrency;
using Transfer.S3.Files;
using Transfer.S3.Trees;

namespace Transfer.S3.TransferUtility;

/// <summary>Uploads a directory as the SDK does, with the events of its request and of the requests for its files.</summary>
internal sealed class UploadDirectoryCall
{
    private readonly TransferClient _client;
    private readonly TransferUtilityUploadDirectoryRequest _request;
    private readonly long _threshold;
    private readonly long _memoryBytes;
    private readonly Func<TransferUtilityUploadRequest, CancellationToken, Task> _leaveAsync;
    private readonly DirectoryCount _count;
    private readonly ListenerQueue _listeners;
    private readonly Lock _listening = new();
    private readonly bool _tellsFiles;

    /// <param name="client">The client.</param>
    /// <param name="request">The request.</param>
    /// <param name="threshold">The number of bytes from which on the SDK uploads in parts.</param>
    /// <param name="memoryBytes">The memory that a part must fit into.</param>
    /// <param name="leaveAsync">Uploads a file with the SDK if a listener has set an option that only the SDK supports.</param>
    public UploadDirectoryCall(
        TransferClient client,
        TransferUtilityUploadDirectoryRequest request,
        long threshold,
        long memoryBytes,
        Func<TransferUtilityUploadRequest, CancellationToken, Task> leaveAsync)
    {
        _client = client;
        _request = request;
        _threshold = threshold;
        _memoryBytes = memoryBytes;
        _leaveAsync = leaveAsync;
        _count = new DirectoryCount(Tell);
        _listeners = new ListenerQueue(client.Context.Time);
        _tellsFiles = SdkEvents.TellsFiles(request);
    }

    public async Task<TransferUtilityUploadDirectoryResponse> RunAsync(CancellationToken cancellationToken)
    {
        RequestChecks.Check(_request);
        try
        {
            await Task.Run(() => MoveAllAsync(cancellationToken), cancellationToken).ConfigureAwait(false); // not on the caller's thread
            IList<Exception> errors = _count.Errors;
            TransferUtilityUploadDirectoryResponse response = new()
            {
                ObjectsUploaded = _count.Succeeded,
                ObjectsFailed = errors.Count,
                Errors = errors,
                Result = _count.Result(errors),
            };
            await _listeners.WhenToldAsync().ConfigureAwait(false);
            SdkUtilityMembers.RaiseCompleted(
                _request, SdkUtilityMembers.UploadCompleted(_request, response, _count.Succeeded, _count.Files, _count.Transferred, _count.Bytes));
            return response;
        }
        catch (Exception e)
        {
            await _listeners.WhenToldAsync().ConfigureAwait(false);
            SdkUtilityMembers.RaiseFailed(_request, SdkUtilityMembers.UploadFailed(_request, _count.Succeeded, _count.Files, _count.Transferred, _count.Bytes));
            SdkFailures.Throw(e);
            throw;
        }
    }

    private async Task MoveAllAsync(CancellationToken cancellationToken)
    {
        string root = new DirectoryInfo(_request.Directory).FullName;
        IEnumerable<FoundFile> files = Find(root);
        if (SdkEvents.TellsTotals(_request))
        {
            files = files.ToList();
        }

        SdkUtilityMembers.RaiseInitiated(_request, SdkUtilityMembers.UploadInitiated(_request, _count.Files, _count.Bytes));

        // Files are transferred one by one only if there is a listener; otherwise, that would only be slower.
        bool isOneByOne = !_request.UploadFilesConcurrently && _tellsFiles;
        ObjectWorkQueue<FoundFile> workQueue = new(
            _client.Context.Queue,
            RequestDirection.Upload,
            isOneByOne ? 1 : _client.Context.Settings.MaxUploadConcurrency,
            isOneByOne || _client.Context.Settings.IsConcurrencyGiven,
            file => !isOneByOne && file.Length >= _threshold,
            (file, token) => MoveAsync(root, file, token),
            _client.Context.GetLimits(TransferDirection.Upload));
        await workQueue.RunAsync(files.ToAsyncEnumerable(), static () => { }, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Enumerates the files with the rules of the search pattern, which follow links to directories.</summary>
    private IEnumerable<FoundFile> Find(string root)
    {
        foreach (string path in Directory.EnumerateFiles(root, _request.SearchPattern, _request.SearchOption))
        {
            if (HiddenFileName.IsMatch(Path.GetFileName(path.AsSpan())))
            {
                continue; // a download is running, or was interrupted
            }

            long length = new FileInfo(path).Length;
            _count.Add(length);
            yield return new FoundFile(path, length);
        }
    }

    private async Task MoveAsync(string root, FoundFile found, CancellationToken cancellationToken)
    {
        string name = found.Path[root.Length..].Replace('\\', '/');
        string key = DirectoryMapping.GetPrefix(_request) + (name.StartsWith('/') ? name[1..] : name);
        TransferUtilityUploadRequest file = DirectoryMapping.GetFile(_request, key, found.Path);
        lock (_listening)
        {
            SdkUtilityMembers.RaiseFileRequest(_request, file);
        }

        try
        {
            if (!_tellsFiles)
            {
                RequestChecks.Check(file);
                UploadOptions options = UploadMapping.Options(file, found.Length >= _threshold);
                UploadResult result = (await UploadCall.SendFileAsync(_client, file, options, null, cancellationToken).ConfigureAwait(false)).Result;
                _count.Step(found.Path, FileStep.OfWhole(result.Statistics.BytesTransferred));
            }
            else if (UploadMapping.WhatOnlyTheSdkDoes(file, _memoryBytes) is not null)
            {
                await _leaveAsync(file, cancellationToken).ConfigureAwait(false);
                _count.Step(found.Path, FileStep.OfWhole(found.Length));
            }
            else
            {
                RequestChecks.Check(file);
                await new UploadCall(_client, file, _threshold, step => _count.Step(file.FilePath, step)).RunAsync(cancellationToken).ConfigureAwait(false);
                if (found.Length == 0)
                {
                    _count.Step(file.FilePath, FileStep.OfWhole(0)); // this file has no progress events
                }
            }

            _count.Succeed();
        }
#pragma warning disable CA1031 // the caller's policy decides whether it stops the others
        catch (Exception e)
#pragma warning restore CA1031
        {
            Fail(file, SdkFailures.Translate(e), cancellationToken);
        }
    }

    /// <summary>Reports a file that has failed. If the error must stop the transfer, it is thrown.</summary>
    private void Fail(TransferUtilityUploadRequest file, Exception error, CancellationToken cancellationToken)
    {
        lock (_listening)
        {
            SdkUtilityMembers.RaiseFileFailed(_request, SdkUtilityMembers.FileFailed(_request, file, error));
        }

        _count.Fail(error, _request.FailurePolicy, cancellationToken);
    }

    private void Tell(DirectoryCount count, string file, FileStep step)
    {
        if (SdkUtilityMembers.Progress(_request) is not { } listeners)
        {
            return;
        }

        bool isAlone = !_request.UploadFilesConcurrently;
        UploadDirectoryProgressArgs args = new(
            count.Ended, count.Files, count.Transferred, count.Bytes, isAlone ? file : null, isAlone ? step.Transferred : 0, isAlone ? step.Total : 0);
        _listeners.Add(() => SdkEvents.Call(listeners, _request, args));
    }

    private readonly record struct FoundFile(string Path, long Length);
}
