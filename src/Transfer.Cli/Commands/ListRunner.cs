using Amazon.S3;
using Amazon.S3.Model;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary>Lists page by page, so that a listing of any length takes the memory of one page.</summary>
internal sealed class ListRunner(IAmazonS3 s3, Invocation invocation)
{
    private const string Delimiter = "/";
    private readonly ListWriter _writer = new(invocation);

    public async Task ListBucketsAsync(CancellationToken cancellationToken)
    {
        ListBucketsRequest request = new();
        long count = 0;
        do
        {
            ListBucketsResponse page = await s3.ListBucketsAsync(request, cancellationToken).ConfigureAwait(false);
            invocation.Tally.Requests++;
            StoreListing.CheckIsS3(page, page.Owner is not null || page.Buckets is { Count: > 0 });
            foreach (S3Bucket bucket in page.Buckets ?? [])
            {
                count++;
                _writer.Bucket(bucket.BucketName, bucket.CreationDate);
            }

            StoreListing.CheckGoesOn(request.ContinuationToken, page.ContinuationToken, !string.IsNullOrEmpty(page.ContinuationToken));
            request.ContinuationToken = page.ContinuationToken;
        }
        while (!string.IsNullOrEmpty(request.ContinuationToken));
        _writer.Total(Units.Count(count, "bucket", "buckets"));
    }

    public async Task ListObjectsAsync(Location address, bool recursive, CancellationToken cancellationToken)
    {
        int shown = recursive ? 0 : address.Key.LastIndexOf('/') + 1;
        Tally tally = invocation.Tally;
        tally.HasRate = false;
        long prefixes = 0;
        await foreach (ListObjectsV2Response page in StoreListing.ReadObjectsAsync(s3, address, recursive ? null : Delimiter, tally, cancellationToken).ConfigureAwait(false))
        {
            foreach (string prefix in page.CommonPrefixes ?? [])
            {
                prefixes++;
                _writer.Prefix(prefix, shown);
            }

            foreach (S3Object item in page.S3Objects ?? [])
            {
                tally.Objects++;
                tally.Bytes += item.Size ?? 0;
                _writer.Object(item.Key, shown, item);
            }
        }

        if (address.Key.Length > 0 && tally.Objects + prefixes == 0)
        {
            string advice = KeyAdvice.AboutWildcards(address) is { } about ? $"; {about}" : string.Empty;
            throw new TransferException($"{address}: no objects found{advice}") { Bucket = address.Bucket, Key = address.Key };
        }

        string folders = prefixes == 0 ? string.Empty : $", {Units.Count(prefixes, "prefix", "prefixes")}";
        _writer.Total($"{Units.Count(tally.Objects, "object", "objects")}{folders}, {Units.Size(tally.Bytes)}");
    }

    public async Task ListUploadsAsync(Location address, CancellationToken cancellationToken)
    {
        string prefix = address.Key;
        bool isPrefix = prefix.Length == 0;
        await ListUploadsAsync(
            address,
            prefix,
            key =>
            {
                isPrefix |= key.Length > prefix.Length;
                return key.StartsWith(prefix, StringComparison.Ordinal);
            },
            cancellationToken).ConfigureAwait(false);
        if (!isPrefix)
        {
            try
            {
                // MinIO treats a prefix as a whole key, and lists the whole bucket if there is none.
                await ListUploadsAsync(
                    address,
                    string.Empty,
                    key => key.Length > prefix.Length && key.StartsWith(prefix, StringComparison.Ordinal),
                    cancellationToken).ConfigureAwait(false);
            }
            catch (AmazonS3Exception)
            {
                // Credentials that can list the prefix may not be able to list the bucket.
            }
        }

        _writer.Total(Units.Count(invocation.Tally.Objects, "incomplete upload", "incomplete uploads"));
    }

    private async Task ListUploadsAsync(Location address, string prefix, Func<string, bool> isWanted, CancellationToken cancellationToken)
    {
        ListMultipartUploadsRequest request = new() { BucketName = address.Bucket, Prefix = prefix, Encoding = EncodingType.Url };
        ListMultipartUploadsResponse page;
        do
        {
            page = await s3.ListMultipartUploadsAsync(request, cancellationToken).ConfigureAwait(false);
            invocation.Tally.Requests++;
            StoreListing.CheckIsS3(page, page.BucketName is not null);
            if (request.Encoding is not null && page.EncodingType is null && (page.MultipartUploads ?? []).Exists(static upload => upload.Key.AsSpan().ContainsAny('%', '+')))
            {
                // Ceph encodes keys, but its response doesn't tell that.
                request.Encoding = null;
                page = await s3.ListMultipartUploadsAsync(request, cancellationToken).ConfigureAwait(false);
                invocation.Tally.Requests++;
            }

            bool encoded = page.EncodingType == EncodingType.Url;
            foreach (MultipartUpload upload in page.MultipartUploads ?? [])
            {
                string key = StoreListing.Decode(upload.Key, encoded);
                if (isWanted(key))
                {
                    invocation.Tally.Objects++;
                    _writer.Upload(key, upload.UploadId, upload.Initiated);
                }
            }

            string? next = page.NextKeyMarker is { } marker ? StoreListing.Decode(marker, encoded) : null;
            StoreListing.CheckGoesOn((request.KeyMarker, request.UploadIdMarker), (next, page.NextUploadIdMarker), page.IsTruncated == true && !string.IsNullOrEmpty(next));
            request.KeyMarker = next;
            request.UploadIdMarker = page.NextUploadIdMarker;
        }
        while (page.IsTruncated == true && !string.IsNullOrEmpty(page.NextKeyMarker));
    }
}
