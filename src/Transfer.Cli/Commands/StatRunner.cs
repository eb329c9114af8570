using System.Net;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary>Reads the properties of an object, and its parts.</summary>
internal sealed class StatRunner(Location address, string? versionId, bool requesterPays, IAmazonS3 s3, Invocation invocation)
{
    private const int PartsOfAPage = 1000;

    public async Task RunAsync(bool withParts, CancellationToken cancellationToken)
    {
        GetObjectMetadataResponse response = await ReadHeadAsync(cancellationToken).ConfigureAwait(false);
        if (string.IsNullOrEmpty(response.ETag) && string.IsNullOrEmpty(response.ResponseMetadata?.RequestId))
        {
            throw new TransferException($"{address}: the endpoint did not respond as S3 does: is it an S3 endpoint?", new HttpRequestException("The response has no header of S3."));
        }

        StatWriter writer = new(invocation);
        writer.Object(address, Convert(response));
        invocation.Tally.Objects = 1;
        if (withParts)
        {
            await ListPartsAsync(writer, response.VersionId, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<GetObjectMetadataResponse> ReadHeadAsync(CancellationToken cancellationToken)
    {
        GetObjectMetadataRequest request = new()
        {
            BucketName = address.Bucket,
            Key = address.Key,
            VersionId = versionId,
            RequestPayer = requesterPays ? RequestPayer.Requester : null,
            ChecksumMode = ChecksumMode.ENABLED,
        };
        try
        {
            invocation.Tally.Requests++;
            return await s3.GetObjectMetadataAsync(request, cancellationToken).ConfigureAwait(false);
        }
        catch (AmazonServiceException e) when (e.StatusCode is HttpStatusCode.BadRequest or HttpStatusCode.NotImplemented)
        {
            // Backblaze B2 rejects requests for checksums.
            request.ChecksumMode = null;
            invocation.Tally.Requests++;
            return await s3.GetObjectMetadataAsync(request, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task ListPartsAsync(StatWriter writer, string? current, CancellationToken cancellationToken)
    {
        GetObjectAttributesRequest request = new()
        {
            BucketName = address.Bucket,
            Key = address.Key,
            VersionId = versionId ?? (current == "null" ? null : current),
            RequestPayer = requesterPays ? RequestPayer.Requester : null,
            ObjectAttributes = [ObjectAttributes.ObjectParts],
            MaxParts = PartsOfAPage,
        };
        long listed = 0;
        GetObjectAttributesParts? page;
        do
        {
            page = (await s3.GetObjectAttributesAsync(request, cancellationToken).ConfigureAwait(false)).ObjectParts;
            invocation.Tally.Requests++;
            foreach (ObjectPart part in page?.Parts ?? [])
            {
                listed++;
                writer.Part(new ObjectPartJson(part.PartNumber ?? 0, part.Size ?? 0, ChecksumOf(part)));
            }

            bool hasNext = page is { IsTruncated: true, NextPartNumberMarker: > 0 };
            if (hasNext && page!.NextPartNumberMarker <= request.PartNumberMarker)
            {
                throw new TransferException("the store returned the same page of the parts again");
            }

            request.PartNumberMarker = page?.NextPartNumberMarker;
        }
        while (page is { IsTruncated: true, NextPartNumberMarker: > 0 });
        if (listed == 0 && page?.TotalPartsCount is > 0 and { } count)
        {
            invocation.Warning($"the store does not list the {Units.Count(count, "part", "parts")} of the object");
        }
    }

    private ObjectPropertiesJson Convert(GetObjectMetadataResponse response) => new()
    {
        Key = address.Key,
        Size = response.ContentLength,
        LastModified = response.LastModified is { } modified ? new DateTimeOffset(modified.ToUniversalTime()) : null,
        ETag = response.ETag,
        VersionId = NullIfEmpty(response.VersionId),
        StorageClass = response.StorageClass?.Value ?? S3StorageClass.Standard.Value,
        ContentType = NullIfEmpty(response.Headers.ContentType),
        ContentEncoding = NullIfEmpty(response.Headers.ContentEncoding),
        ContentLanguage = NullIfEmpty(response.ContentLanguage),
        ContentDisposition = NullIfEmpty(response.Headers.ContentDisposition),
        CacheControl = NullIfEmpty(response.Headers.CacheControl),
        Expires = NullIfEmpty(response.ExpiresString),
        Encryption = NullIfEmpty(response.ServerSideEncryptionMethod?.Value) ?? (string.IsNullOrEmpty(response.ServerSideEncryptionCustomerProvidedKeyMD5) ? null : "SSE-C"),
        Restore = response.RestoreInProgress == true ? "in progress" : response.RestoreExpiration is { } end ? $"until {end.ToUniversalTime():yyyy-MM-dd HH:mm:ss} UTC" : null,
        Checksum = StoredChecksumJson.Of(
            response.ChecksumType?.Value,
            ("crc64nvme", response.ChecksumCRC64NVME),
            ("crc32c", response.ChecksumCRC32C),
            ("crc32", response.ChecksumCRC32),
            ("sha256", response.ChecksumSHA256),
            ("sha1", response.ChecksumSHA1)),
        Parts = PartsOf(response.ETag),
        Tags = response.TagsCount is > 0 ? response.TagsCount : null,
        Metadata = response.Metadata.Keys.ToDictionary(NameOf, name => response.Metadata[name]),
    };

    private static StoredChecksumJson? ChecksumOf(ObjectPart part) => StoredChecksumJson.Of(
        "FULL_OBJECT",
        ("crc64nvme", part.ChecksumCRC64NVME),
        ("crc32c", part.ChecksumCRC32C),
        ("crc32", part.ChecksumCRC32),
        ("sha256", part.ChecksumSHA256),
        ("sha1", part.ChecksumSHA1));

    /// <summary>Gets the number of parts from an ETag such as "0123…-3".</summary>
    private static int? PartsOf(string? etag)
        => etag?.Trim('"').Split('-') is [_, { } count] && int.TryParse(count, out int parts) && parts > 0 ? parts : null;

    private static string NameOf(string header)
        => header.StartsWith("x-amz-meta-", StringComparison.OrdinalIgnoreCase) ? header["x-amz-meta-".Length..] : header;

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;
}
