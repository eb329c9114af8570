using System.Net;
using Amazon.S3;
using Amazon.S3.Model;
using Moq;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>The requests that return metadata without an object's bytes: headers, attributes, and lists of uploads.</summary>
internal sealed partial class FakeS3
{
    /// <summary>Gets the incomplete uploads, in the order in which they are listed. An abort removes its upload.</summary>
    public List<UnfinishedUpload> Unfinished { get; } = [];

    /// <summary>Gets or sets the number of uploads on a page of the list.</summary>
    public int UploadsInPage { get; set; } = 1000;

    /// <summary>Gets or sets a function that returns whether a key is in the list of uploads for a prefix.</summary>
    public Func<string, string, bool> IsListed { get; set; } = (key, prefix) => key.StartsWith(prefix, StringComparison.Ordinal);

    /// <summary>Gets or sets a value that indicates whether a list of uploads names the encoding of its keys. That of Ceph doesn't.</summary>
    public bool NamesUploadEncoding { get; set; } = true;

    private void SetUpLists()
        => _mock.Setup(s3 => s3.ListMultipartUploadsAsync(It.IsAny<ListMultipartUploadsRequest>(), It.IsAny<CancellationToken>()))
            .Returns<ListMultipartUploadsRequest, CancellationToken>((request, token) => Task.Run(() => ListUploadsAsync(request, token)));

    private async Task<GetObjectMetadataResponse> HeadAsync(GetObjectMetadataRequest request, CancellationToken cancellationToken)
    {
        await EnterAsync(new S3Call(0, S3Call.Head, request.Key, IfMatch: request.EtagToMatch, Part: request.PartNumber, Request: request), cancellationToken);
        FakeObject found = Find(request.Key);
        if (request.EtagToMatch is not null && request.EtagToMatch != found.ETag)
        {
            throw Error(HttpStatusCode.PreconditionFailed, "PreconditionFailed");
        }

        GetObjectMetadataResponse response = new()
        {
            ContentLength = found.Content.Length,
            ETag = found.ETag,
            ServerSideEncryptionMethod = found.Encryption,
            LastModified = found.LastModified?.UtcDateTime,
        };
        foreach ((string name, string value) in found.Metadata)
        {
            response.Metadata[name] = value;
        }

        if (request.PartNumber is { } number)
        {
            IReadOnlyList<int> parts = found.Parts.Count > 0 ? found.Parts : [found.Content.Length];
            if (number > parts.Count)
            {
                throw Error(HttpStatusCode.RequestedRangeNotSatisfiable, "InvalidPartNumber");
            }

            int offset = parts.Take(number - 1).Sum();
            response.ContentLength = parts[number - 1];
            response.ContentRange = found.TellsRanges ? $"bytes {offset}-{offset + parts[number - 1] - 1}/{found.Content.Length}" : null;
            response.PartsCount = found.Parts.Count > 0 ? found.Parts.Count : null;
        }
        else if (request.ChecksumMode == ChecksumMode.ENABLED && (found.Checksum ?? Crc64Nvme(found)) is { } checksum)
        {
            response.ChecksumType = GetChecksumType(found, checksum);
            response.ChecksumCRC64NVME = GetValue(checksum, ChecksumAlgorithm.Crc64Nvme);
            response.ChecksumCRC32C = GetValue(checksum, ChecksumAlgorithm.Crc32C);
            response.ChecksumCRC32 = GetValue(checksum, ChecksumAlgorithm.Crc32);
            response.ChecksumSHA256 = GetValue(checksum, ChecksumAlgorithm.Sha256);
            response.ChecksumSHA1 = GetValue(checksum, ChecksumAlgorithm.Sha1);
            response.ChecksumSHA512 = GetValue(checksum, ChecksumAlgorithm.Sha512);
            response.ChecksumXXHASH64 = GetValue(checksum, ChecksumAlgorithm.XxHash64);
            response.ChecksumXXHASH3 = GetValue(checksum, ChecksumAlgorithm.XxHash3);
            response.ChecksumXXHASH128 = GetValue(checksum, ChecksumAlgorithm.XxHash128);
        }

        return response;
    }

    private static ChecksumType? GetChecksumType(FakeObject found, StoredChecksum checksum)
        => !found.TellsChecksumType ? null : checksum.IsComposite ? ChecksumType.COMPOSITE : ChecksumType.FULL_OBJECT;

    private static string? GetValue(StoredChecksum checksum, ChecksumAlgorithm algorithm) => checksum.Algorithm == algorithm ? checksum.Value : null;

    private static StoredChecksum? Crc64Nvme(FakeObject found) => found.Crc64Nvme is { } value ? new StoredChecksum { Algorithm = ChecksumAlgorithm.Crc64Nvme, Value = value, IsComposite = false } : null;

    private async Task<GetObjectAttributesResponse> AttributesAsync(GetObjectAttributesRequest request, CancellationToken cancellationToken)
    {
        await EnterAsync(new S3Call(0, S3Call.Attributes, request.Key, Request: request), cancellationToken);
        FakeObject found = Find(request.Key);
        GetObjectAttributesResponse response = new()
        {
            ETag = found.ETag?.Trim('"'),
            Checksum = (found.Checksum ?? Crc64Nvme(found)) is not { } checksum
                ? null
                : new Checksum
                {
                    ChecksumType = GetChecksumType(found, checksum),
                    ChecksumCRC64NVME = GetValue(checksum, ChecksumAlgorithm.Crc64Nvme),
                    ChecksumCRC32C = GetValue(checksum, ChecksumAlgorithm.Crc32C),
                    ChecksumCRC32 = GetValue(checksum, ChecksumAlgorithm.Crc32),
                    ChecksumSHA256 = GetValue(checksum, ChecksumAlgorithm.Sha256),
                    ChecksumSHA1 = GetValue(checksum, ChecksumAlgorithm.Sha1),
                    ChecksumSHA512 = GetValue(checksum, ChecksumAlgorithm.Sha512),
                    ChecksumXXHASH64 = GetValue(checksum, ChecksumAlgorithm.XxHash64),
                    ChecksumXXHASH3 = GetValue(checksum, ChecksumAlgorithm.XxHash3),
                    ChecksumXXHASH128 = GetValue(checksum, ChecksumAlgorithm.XxHash128),
                },
        };
        if (request.ObjectAttributes.Contains(ObjectAttributes.ObjectParts) && found.PartsInPage is { } page)
        {
            int after = request.PartNumberMarker ?? 0;
            int last = Math.Min(after + page, found.Parts.Count);
            response.ObjectParts = new GetObjectAttributesParts
            {
                TotalPartsCount = found.Parts.Count,
                IsTruncated = last < found.Parts.Count,
                NextPartNumberMarker = last,
                Parts = [.. Enumerable.Range(after + 1, last - after).Select(number => new ObjectPart { PartNumber = number, Size = found.Parts[number - 1], ChecksumCRC64NVME = found.PartCrc64Nvme?[number - 1] })],
            };
        }

        return response;
    }

    private async Task<ListMultipartUploadsResponse> ListUploadsAsync(ListMultipartUploadsRequest request, CancellationToken cancellationToken)
    {
        await EnterAsync(new S3Call(0, S3Call.ListUploads, request.Prefix, Request: request), cancellationToken);
        lock (Unfinished)
        {
            // Upload IDs are numbers here, and the list is ordered by them.
            UnfinishedUpload[] rest =
            [
                .. Unfinished.Where(upload => IsListed(upload.Key, request.Prefix)
                    && (request.KeyMarker is null || string.CompareOrdinal(upload.Key + upload.UploadId, request.KeyMarker + request.UploadIdMarker) > 0)),
            ];
            UnfinishedUpload[] page = [.. rest.Take(UploadsInPage)];
            bool goesOn = rest.Length > page.Length;
            Func<string, string> encode = request.Encoding == EncodingType.Url ? Uri.EscapeDataString : key => key;
            return new ListMultipartUploadsResponse
            {
                BucketName = request.BucketName,
                EncodingType = NamesUploadEncoding ? request.Encoding : null,
                IsTruncated = goesOn,
                NextKeyMarker = goesOn ? encode(page[^1].Key) : null,
                NextUploadIdMarker = goesOn ? page[^1].UploadId : null,
                MultipartUploads = [.. page.Select(upload => new MultipartUpload { Key = encode(upload.Key), UploadId = upload.UploadId, Initiated = upload.Initiated?.UtcDateTime })],
            };
        }
    }
}
