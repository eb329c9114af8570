using Amazon.Runtime;
using Amazon.S3.Model;
using Moq;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Infrastructure;

internal sealed partial class FakeS3
{
    /// <summary>Gets or sets the number of objects on a page of a listing.</summary>
    public int PageSize { get; set; } = 1000;

    /// <summary>Gets or sets a callback that changes a page of a listing.</summary>
    public Action<ListObjectsV2Response>? Page { get; set; }

    /// <summary>Gets or sets a value that indicates whether a listing always starts with the first key.</summary>
    public bool IgnoresStartAfter { get; set; }

    /// <summary>Gets the versions and delete markers, in the order of the listing.</summary>
    public List<S3ObjectVersion> Versions { get; } = [];

    /// <summary>Gets or sets a value that indicates whether the delete markers of a page follow its versions, as some stores list them.</summary>
    public bool ListsMarkersLast { get; set; }

    private void SetUpListing()
    {
        _mock.Setup(s3 => s3.ListVersionsAsync(It.IsAny<ListVersionsRequest>(), It.IsAny<CancellationToken>()))
            .Returns<ListVersionsRequest, CancellationToken>((request, token) => Task.Run(() => ListAsync(request, token)));
        _mock.Setup(s3 => s3.ListObjectsV2Async(It.IsAny<ListObjectsV2Request>(), It.IsAny<CancellationToken>()))
            .Returns<ListObjectsV2Request, CancellationToken>((request, token) => Task.Run(() => ListAsync(request, token)));
        _mock.Setup(s3 => s3.ListObjectsAsync(It.IsAny<ListObjectsRequest>(), It.IsAny<CancellationToken>()))
            .Returns<ListObjectsRequest, CancellationToken>((request, token) => Task.Run(() => ListAsync(request, token)));
    }

    private async Task<ListObjectsResponse> ListAsync(ListObjectsRequest request, CancellationToken cancellationToken)
    {
        ListObjectsV2Response page = await ListAsync(
            new ListObjectsV2Request { BucketName = request.BucketName, Prefix = request.Prefix, ContinuationToken = request.Marker }, cancellationToken);
        return new ListObjectsResponse
        {
            Name = page.Name,
            ResponseMetadata = page.ResponseMetadata,
            S3Objects = page.S3Objects,
            IsTruncated = page.IsTruncated,
            NextMarker = page.NextContinuationToken,
        };
    }

    private async Task<ListVersionsResponse> ListAsync(ListVersionsRequest request, CancellationToken cancellationToken)
    {
        S3Call call = await EnterAsync(new S3Call(0, S3Call.List, request.Prefix, Request: request), cancellationToken);
        lock (Versions)
        {
            S3ObjectVersion[] found = [.. Versions.Where(one => one.Key.StartsWith(request.Prefix, StringComparison.Ordinal))];
            int start = request.KeyMarker is null ? 0
                : request.VersionIdMarker is { } id ? Array.FindIndex(found, one => one.Key == request.KeyMarker && one.VersionId == id) + 1
                : Array.FindLastIndex(found, one => KeyOrder.Instance.Compare(one.Key, request.KeyMarker) <= 0) + 1;
            S3ObjectVersion[] page = [.. found.Skip(start).Take(PageSize)];
            bool isCut = start + page.Length < found.Length;
            return new ListVersionsResponse
            {
                Name = request.BucketName,
                ResponseMetadata = new ResponseMetadata { RequestId = $"REQUEST-{call.Number}" },
                Versions = ListsMarkersLast ? [.. page.OrderBy(one => one.IsDeleteMarker == true)] : [.. page],
                IsTruncated = isCut,
                NextKeyMarker = isCut ? page[^1].Key : null,
                NextVersionIdMarker = isCut ? page[^1].VersionId : null,
            };
        }
    }

    private async Task<ListObjectsV2Response> ListAsync(ListObjectsV2Request request, CancellationToken cancellationToken)
    {
        S3Call call = await EnterAsync(new S3Call(0, S3Call.List, request.Prefix, Request: request), cancellationToken);
        KeyValuePair<string, FakeObject>[] found =
        [
            .. Objects.Where(one => one.Key.StartsWith(request.Prefix, StringComparison.Ordinal) && KeyOrder.Instance.Compare(one.Key, request.ContinuationToken ?? (IgnoresStartAfter ? null : request.StartAfter)) > 0)
                .OrderBy(one => one.Key, KeyOrder.Instance),
        ];
        bool isCut = found.Length > PageSize;
        ListObjectsV2Response response = new()
        {
            Name = request.BucketName,
            Prefix = request.Prefix,
            ContinuationToken = request.ContinuationToken,
            ResponseMetadata = new ResponseMetadata { RequestId = $"REQUEST-{call.Number}" },
            StartAfter = request.StartAfter,
            S3Objects = [.. found.Take(PageSize).Select(one => new S3Object { Key = one.Key, Size = one.Value.Content.Length, ETag = one.Value.ETag, LastModified = one.Value.LastModified?.UtcDateTime })],
            IsTruncated = isCut,
            NextContinuationToken = isCut ? found[PageSize - 1].Key : null,
        };
        Page?.Invoke(response);
        return response;
    }
}
