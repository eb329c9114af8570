using System.Collections.Concurrent;
using System.Net;
using Amazon.S3;
using Amazon.S3.Model;
using Moq;

namespace Transfer.S3.Tests.Infrastructure;

internal sealed partial class FakeS3
{
    /// <summary>
    /// Sets up copies. Other buckets share the objects of <see cref="Bucket"/>; <see cref="S3Call.Request"/> contains the names of a request.
    /// </summary>
    private void SetUpCopies()
    {
        _mock.Setup(s3 => s3.CopyObjectAsync(It.IsAny<CopyObjectRequest>(), It.IsAny<CancellationToken>()))
            .Returns<CopyObjectRequest, CancellationToken>((request, token) => Task.Run(() => CopyAsync(request, token)));
        _mock.Setup(s3 => s3.CopyPartAsync(It.IsAny<CopyPartRequest>(), It.IsAny<CancellationToken>()))
            .Returns<CopyPartRequest, CancellationToken>((request, token) => Task.Run(() => CopyPartAsync(request, token)));
        _mock.Setup(s3 => s3.GetObjectTaggingAsync(It.IsAny<GetObjectTaggingRequest>(), It.IsAny<CancellationToken>()))
            .ReturnsAsync(new GetObjectTaggingResponse { Tagging = [] });
    }

    private async Task<CopyObjectResponse> CopyAsync(CopyObjectRequest request, CancellationToken cancellationToken)
    {
        await EnterAsync(new S3Call(0, S3Call.Copy, request.SourceKey, IfMatch: request.ETagToMatch, Request: request), cancellationToken);
        FakeObject source = FindToCopy(request.SourceKey, request.ETagToMatch);
        lock (_publishing)
        {
            CheckCondition(request.DestinationKey, request.IfNoneMatch, request.IfMatch);
            Objects[request.DestinationKey] = source with { LastModified = source.LastModified?.AddMinutes(1) };
        }

        return new CopyObjectResponse { ETag = source.ETag, ChecksumCRC64NVME = ConfirmedChecksum ?? source.Crc64Nvme, ChecksumType = ChecksumType.FULL_OBJECT };
    }

    private async Task<CopyPartResponse> CopyPartAsync(CopyPartRequest request, CancellationToken cancellationToken)
    {
        await EnterAsync(new S3Call(0, S3Call.CopyPart, request.SourceKey, request.FirstByte, request.LastByte, Part: request.PartNumber, Request: request), cancellationToken);
        FakeObject source = FindToCopy(request.SourceKey, request.ETagToMatch?.SingleOrDefault());
        ConcurrentDictionary<int, byte[]> parts = HasManyUploads ? OpenParts(request.DestinationKey, request.UploadId) : GetParts(request.DestinationKey);
        int first = (int)(request.FirstByte ?? 0);
        int end = request.LastByte is { } last ? (int)last + 1 : source.Content.Length;
        byte[] part = source.Content[first..end];
        parts[request.PartNumber!.Value] = part;
        return new CopyPartResponse { ETag = HasManyUploads ? GetTag(request.PartNumber.Value, part) : $"\"part-{request.PartNumber}\"" };
    }

    private FakeObject FindToCopy(string key, string? ifMatch)
    {
        FakeObject source = Find(key);
        return ifMatch is null || ifMatch == source.ETag ? source : throw Error(HttpStatusCode.PreconditionFailed, "PreconditionFailed");
    }
}
