using System.Net;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Moq;

namespace Transfer.S3.Tests.Infrastructure;

internal sealed partial class FakeS3
{
    /// <summary>Gets or sets a function that returns the error code of an object in a batch; null if it is deleted.</summary>
    public Func<S3Call, KeyVersion, string?>? RefuseDeletion { get; set; }

    /// <summary>Gets or sets a value that indicates whether the conditions of deletions are ignored, as MinIO does.</summary>
    public bool IgnoresDeletionConditions { get; set; }

    /// <summary>Gets or sets a callback that is called after a deletion was carried out, and before its response is returned. It can throw.</summary>
    public Action<S3Call>? AfterDeletion { get; set; }

    /// <summary>Gets the batches so far.</summary>
    public IEnumerable<DeleteObjectsRequest> Batches => Calls.Select(call => call.Request).OfType<DeleteObjectsRequest>();

    private void SetUpDeletions()
    {
        _mock.Setup(s3 => s3.DeleteObjectAsync(It.IsAny<DeleteObjectRequest>(), It.IsAny<CancellationToken>()))
            .Returns<DeleteObjectRequest, CancellationToken>((request, token) => Task.Run(() => DeleteAsync(request, token)));
        _mock.Setup(s3 => s3.DeleteObjectsAsync(It.IsAny<DeleteObjectsRequest>(), It.IsAny<CancellationToken>()))
            .Returns<DeleteObjectsRequest, CancellationToken>((request, token) => Task.Run(() => DeleteAsync(request, token)));
    }

    private async Task<DeleteObjectResponse> DeleteAsync(DeleteObjectRequest request, CancellationToken cancellationToken)
    {
        S3Call call = await EnterAsync(new S3Call(0, S3Call.Delete, request.Key, IfMatch: request.IfMatch, Request: request), cancellationToken);
        if (GetCode(request.Key, request.IfMatch) is { } code)
        {
            throw Error(code == "NoSuchKey" ? HttpStatusCode.NotFound : HttpStatusCode.PreconditionFailed, code);
        }

        Remove(request.Key, request.VersionId);
        AfterDeletion?.Invoke(call);
        return new DeleteObjectResponse { HttpStatusCode = HttpStatusCode.NoContent };
    }

    private async Task<DeleteObjectsResponse> DeleteAsync(DeleteObjectsRequest request, CancellationToken cancellationToken)
    {
        S3Call call = await EnterAsync(new S3Call(0, S3Call.DeleteBatch, request.Objects[0].Key, Request: request), cancellationToken);
        List<DeleteError> errors = [];
        foreach (KeyVersion item in request.Objects)
        {
            if ((RefuseDeletion?.Invoke(call, item) ?? GetCode(item.Key, item.ETag)) is { } code)
            {
                errors.Add(new DeleteError { Key = item.Key, VersionId = item.VersionId, Code = code, Message = $"{code} for the test" });
                continue;
            }

            Remove(item.Key, item.VersionId);
        }

        AfterDeletion?.Invoke(call);
        DeleteObjectsResponse response = new() { DeleteErrors = errors, HttpStatusCode = HttpStatusCode.OK, ResponseMetadata = new ResponseMetadata { RequestId = $"REQUEST-{call.Number}" } };
        return errors.Count == 0 ? response : throw new DeleteObjectsException(response);
    }

    private void Remove(string key, string? versionId)
    {
        if (versionId is null)
        {
            Objects.TryRemove(key, out _);
            return;
        }

        lock (Versions)
        {
            Versions.RemoveAll(one => one.Key == key && one.VersionId == versionId);
        }
    }

    private string? GetCode(string key, string? etag)
        => etag is null || IgnoresDeletionConditions ? null
            : !Objects.TryGetValue(key, out FakeObject? found) ? "NoSuchKey"
            : found.ETag != etag ? "PreconditionFailed"
            : null;
}
