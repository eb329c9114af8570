using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Transfer;
using Transfer.S3.Concurrency;
using Transfer.S3.Download;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Trees;
using Transfer.S3.Wire;

namespace Transfer.S3.TransferUtility;

/// <summary>Downloads a directory as the SDK does, with the events of its request and of the requests for its files.</summary>
internal sealed class DownloadDirectoryCall
{
    private readonly TransferClient _client;
    private readonly TransferUtilityDownloadDirectoryRequest _request;
    private readonly bool _hasResponse;
    private readonly bool _checksCase;
    private readonly Func<TransferUtilityDownloadRequest, CancellationToken, Task> _leaveAsync;
    private readonly DirectoryCount _count;
    private readonly ListenerQueue _listeners;
    private readonly Lock _listening = new();
    private readonly bool _tellsFiles;

    /// <param name="client">The client.</param>
    /// <param name="request">The request.</param>
    /// <param name="hasResponse">Whether the call returns a response. The exceptions of both kinds of calls differ.</param>
    /// <param name="checksCase">Whether keys that differ only by case are detected.</param>
    /// <param name="leaveAsync">Downloads a file with the SDK if a listener has set an option that only the SDK supports.</param>
    public DownloadDirectoryCall(
        TransferClient client,
        TransferUtilityDownloadDirectoryRequest request,
        bool hasResponse,
        bool checksCase,
        Func<TransferUtilityDownloadRequest, CancellationToken, Task> leaveAsync)
    {
        SdkUtilityMembers.RequireDownloadDirectories();
        _client = client;
        _request = request;
        _hasResponse = hasResponse;
        _checksCase = checksCase;
        _leaveAsync = leaveAsync;
        _count = new DirectoryCount(Tell);
        _listeners = new ListenerQueue(client.Context.Time);
        _tellsFiles = SdkEvents.TellsFiles(request);
    }

    public async Task<TransferUtilityDownloadDirectoryResponse> RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            SdkUtilityMembers.RaiseInitiated(_request, SdkUtilityMembers.DownloadInitiated(_request));
            RequestChecks.Check(_request);
            Directory.CreateDirectory(_request.LocalDirectory);
            TransferRun whole = _client.Context.BeginWhole(
                TransferDirection.Download, new ObjectAddress(_request.BucketName, DirectoryMapping.GetPrefix(_request).Prefix), null, null);
            await whole.RunAsync(MoveAllAsync, cancellationToken).ConfigureAwait(false);
            IList<Exception> errors = _count.Errors;
            TransferUtilityDownloadDirectoryResponse response = new()
            {
                ObjectsDownloaded = _count.Succeeded,
                ObjectsFailed = errors.Count,
                Errors = errors,
                Result = _count.Result(errors),
            };
            await _listeners.WhenToldAsync().ConfigureAwait(false);
            SdkUtilityMembers.RaiseCompleted(
                _request, SdkUtilityMembers.DownloadCompleted(_request, response, _count.Transferred, _count.Bytes, _count.Succeeded, _count.Files));
            return response;
        }
        catch (Exception e)
        {
            await _listeners.WhenToldAsync().ConfigureAwait(false);
            SdkUtilityMembers.RaiseFailed(
                _request, SdkUtilityMembers.DownloadFailed(_request, _count.Transferred, _count.Bytes, _count.Succeeded, _count.Files));
            ExceptionDispatchInfo.Throw(e is TransferException ? SdkFailures.OfListing(e) : SdkFailures.Translate(e)); // errors of files are already converted
            throw;
        }
    }

    private async Task<bool> MoveAllAsync(TransferRun whole, CancellationToken cancellationToken)
    {
        using TargetTree tree = new(Path.GetFullPath(_request.LocalDirectory), flushes: false);
        IAsyncEnumerable<ListedObject> objects = FindAsync(tree, whole, cancellationToken);
        if (SdkEvents.TellsTotals(_request))
        {
            objects = (await Pages.CollectAsync(objects, cancellationToken).ConfigureAwait(false)).ToAsyncEnumerable();
        }

        // Files are transferred one by one only if there is a listener; otherwise, that would only be slower.
        bool isOneByOne = !_request.DownloadFilesConcurrently && _tellsFiles;
        long large = isOneByOne ? long.MaxValue : _client.Context.Settings.DownloadPartSizeBytes;
        ObjectWorkQueue<ListedObject> workQueue = new(
            _client.Context.Queue,
            RequestDirection.Download,
            isOneByOne ? 1 : _client.Context.Settings.MaxConcurrency,
            isOneByOne || _client.Context.Settings.IsConcurrencyGiven,
            listed => listed.Length > large,
            (listed, token) => MoveAsync(listed, tree, whole, token),
            whole.Reporter.Limits);
        await workQueue.RunAsync(objects, static () => { }, cancellationToken).ConfigureAwait(false);
        return true;
    }

    private async IAsyncEnumerable<ListedObject> FindAsync(TargetTree tree, TransferRun whole, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        (string prefix, int cut) = DirectoryMapping.GetPrefix(_request);
        ReadAccess access = new(_request.RequestPayer == RequestPayer.Requester, null);
        CaseInsensitiveNames names = new();
        bool? isCaseBlind = null;
        ListQuery query = new(_request.BucketName, prefix, access);
        await foreach (ListedObject listed in ObjectListing.ReadAsync(
            whole, query, item => NotUnder(query, item, cancellationToken), cancellationToken).ConfigureAwait(false))
        {
            if (!DirectoryMapping.Takes(_request, listed.LastModified?.UtcDateTime ?? default))
            {
                continue;
            }

            _count.Add(listed.Length);
            if (listed.Key.EndsWith('/'))
            {
                continue; // the SDK doesn't create directories for objects that represent folders
            }

            isCaseBlind ??= _checksCase && tree.IsCaseBlind();
            if (isCaseBlind.Value && !names.Add(listed.Key))
            {
                Fail(
                    DirectoryMapping.GetFile(_request, listed.Key, Path.Combine(_request.LocalDirectory, listed.Key[cut..])),
                    new AmazonS3Exception($"The key {listed.Key} differs from another key only by case, and the directory '{_request.LocalDirectory}' is not case-sensitive."),
                    cancellationToken);
                continue;
            }

            yield return listed;
        }
    }

    private void NotUnder(ListQuery query, ListedObject item, CancellationToken cancellationToken) => Fail(
        DirectoryMapping.GetFile(_request, item.Key, _request.LocalDirectory), new AmazonS3Exception(ObjectListing.NotUnder(query, item).Message), cancellationToken);

    private async Task MoveAsync(ListedObject listed, TargetTree tree, TransferRun whole, CancellationToken cancellationToken)
    {
        string name = listed.Key[DirectoryMapping.GetPrefix(_request).Cut..];
        TransferUtilityDownloadRequest file = DirectoryMapping.GetFile(
            _request, listed.Key, Path.Combine(_request.LocalDirectory, name.Replace('/', Path.DirectorySeparatorChar)));
        lock (_listening)
        {
            SdkUtilityMembers.RaiseFileRequest(_request, file);
        }

        try
        {
            (string Folder, string Path) place = Place(file.FilePath);
            if (!_tellsFiles)
            {
                DownloadOptions options = DownloadMapping.Options(file);
                DownloadResult result = (await DownloadAsync(file, listed, place, tree, whole, options, null, cancellationToken).ConfigureAwait(false)).Result;
                _count.Step(name, FileStep.OfWhole(result.Statistics.BytesTransferred));
            }
            else if (DownloadMapping.WhatOnlyTheSdkDoes(file) is not null)
            {
                await _leaveAsync(file, cancellationToken).ConfigureAwait(false);
                _count.Step(name, FileStep.OfWhole(listed.Length));
            }
            else
            {
                await new DownloadCall(
                    (options, progress, token) => DownloadAsync(file, listed, place, tree, whole, options, progress, token),
                    file,
                    _client.Context.Time,
                    _hasResponse,
                    step => _count.Step(name, step)).RunAsync(cancellationToken).ConfigureAwait(false);
            }

            _count.Succeed();
        }
#pragma warning disable CA1031 // the caller's policy decides whether it stops the others
        catch (Exception e)
#pragma warning restore CA1031
        {
            Fail(file, DownloadCall.Failure(e, _hasResponse), cancellationToken);
        }
    }

    private async Task<CompletedDownload> DownloadAsync(
        TransferUtilityDownloadRequest file,
        ListedObject listed,
        (string Folder, string Path) place,
        TargetTree tree,
        TransferRun whole,
        DownloadOptions options,
        IProgress<TransferProgress>? progress,
        CancellationToken cancellationToken)
    {
        // A listener may have changed the key.
        bool isListed = file.Key == listed.Key && file.BucketName == _request.BucketName && options.VersionId is null;
        DownloadRequest request = DownloadMapping.LikeSdk(
            _client.Check(file.BucketName, file.Key, isListed ? options with { Hint = new ObjectHint { Length = listed.Length, ETag = listed.ETag } } : options, cancellationToken),
            keepsAnswer: _tellsFiles); // only the events of files have responses
        LocalFolder folder = tree.Enter(place.Folder);
        try
        {
            FileTarget target = FileTarget.From(place.Path, options) with { Folder = folder };
            return await _client.Context.Begin(TransferDirection.Download, request.Address, progress, null, whole)
                .RunAsync((run, token) => ListedDownload.RunAsync(run, request, one => FileDownload.RunAsync(run, one, target, token)), cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            tree.Leave(place.Folder);
        }
    }

    /// <summary>Gets the directory relative to the root, with slashes, and the full path of a file.</summary>
    private (string Folder, string Path) Place(string path)
    {
        string root = Path.TrimEndingDirectorySeparator(Path.GetFullPath(_request.LocalDirectory));
        string full = Path.GetFullPath(path);
        string start = Path.EndsInDirectorySeparator(root) ? root : root + Path.DirectorySeparatorChar;
        string below = full.StartsWith(start, StringComparison.Ordinal) ? full[start.Length..].Replace(Path.DirectorySeparatorChar, '/') : string.Empty;
        if (below.Length == 0 || below.EndsWith('/') || (OperatingSystem.IsWindows() && !KeyPath.TrySplit(below, isWindows: true, allowsSpecial: false, out _, out _)))
        {
            throw new AmazonClientException($"The file {path} is not allowed outside of the target directory {_request.LocalDirectory}.");
        }

        int slash = below.LastIndexOf('/');
        return (slash < 0 ? string.Empty : below[..slash], full);
    }

    /// <summary>Reports a file that has failed. If the error must stop the transfer, it is thrown.</summary>
    private void Fail(TransferUtilityDownloadRequest file, Exception error, CancellationToken cancellationToken)
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

        bool isAlone = !_request.DownloadFilesConcurrently;
        DownloadDirectoryProgressArgs args = new(
            count.Ended, count.Files, count.Transferred, count.Bytes, isAlone ? file : null, isAlone ? step.Transferred : 0, isAlone ? step.Total : 0);
        _listeners.Add(() => SdkEvents.Call(listeners, _request, args));
    }
}
