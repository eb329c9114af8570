using Amazon.S3;
using Amazon.S3.Model;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary>Lists page by page, so that a listing of any length takes the memory of one page.</summary>
internal sealed class ListRunner(TransferClient client, IAmazonS3 s3, Invocation invocation)
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
            if (page.Owner is null && page.Buckets is not { Count: > 0 } && string.IsNullOrEmpty(page.ResponseMetadata?.RequestId))
            {
                // The SDK accepts any XML, even a web page, as an empty listing.
                throw new TransferException("the endpoint did not respond with a listing: is it an S3 endpoint?", new HttpRequestException("The response is not a listing."));
            }

            foreach (S3Bucket bucket in page.Buckets ?? [])
            {
                count++;
                _writer.Bucket(bucket.BucketName, bucket.CreationDate is { } created ? new DateTimeOffset(created.ToUniversalTime()) : null);
            }

            if (!string.IsNullOrEmpty(page.ContinuationToken) && page.ContinuationToken == request.ContinuationToken)
            {
                throw new TransferException("the store returned the same page of the listing again");
            }

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
        ListObjectsOptions options = new() { Delimiter = recursive ? null : Delimiter };
        await foreach (ListedObject item in client.ListObjectsAsync(address.Bucket, address.Key, options, cancellationToken).ConfigureAwait(false))
        {
            if (item.IsPrefix)
            {
                prefixes++;
                _writer.Prefix(item.Key, shown);
            }
            else
            {
                tally.Objects++;
                tally.Bytes += item.Length;
                _writer.Object(item, shown);
            }
        }

        if (address.Key.Length > 0 && tally.Objects + prefixes == 0)
        {
            throw new TransferException($"{address}: no objects found{KeyAdvice.OfWildcards(address)}") { Bucket = address.Bucket, Key = address.Key };
        }

        string folders = prefixes == 0 ? string.Empty : $", {Units.Count(prefixes, "prefix", "prefixes")}";
        _writer.Total($"{Units.Count(tally.Objects, "object", "objects")}{folders}, {Units.Size(tally.Bytes)}");
    }

    public async Task ListUploadsAsync(Location address, CancellationToken cancellationToken)
    {
        await foreach (UnfinishedUpload upload in client.ListUploadsAsync(address.Bucket, address.Key, cancellationToken).ConfigureAwait(false))
        {
            invocation.Tally.Objects++;
            _writer.Upload(upload);
        }

        _writer.Total(Units.Count(invocation.Tally.Objects, "incomplete upload", "incomplete uploads"));
    }
}
