using System.Buffers;
using System.Runtime.CompilerServices;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Trees;
using Transfer.S3.Upload;

namespace Transfer.S3.Jobs;

/// <summary>The files of a job under a prefix of a bucket.</summary>
internal sealed class BucketJobFolder(TransferClient client, string bucket, string prefix) : JobFolder
{
    public override string Address => $"s3://{bucket}/{prefix}";

    internal override bool Overlaps(Place place) => place.Bucket == bucket && Overlap.Exists(place.Prefix!, prefix);

    internal override TransferClient? Client => client;

    internal override async Task<bool?> HasConditionsAsync(CancellationToken cancellationToken)
    {
        string key = prefix + JobNames.NewProbe();
        ClientContext context = client.Context;
        UploadRequest request = UploadRequest.From(bucket, key, new UploadOptions { Overwrite = false }, context.Settings) with { ProvesCondition = true };
        await context.BeginCounting(bucket, key).RunAsync(
            (run, token) => new UploadCoordinator(run, request, new MemorySource(default)).RunAsync(token), cancellationToken).ConfigureAwait(false);
        await client.DeleteAsync(bucket, key, null, cancellationToken).ConfigureAwait(false);
        return context.Profile.GetSupport(StoreTrait.PutCondition, bucket) switch
        {
            StoreSupport.Supported => true,
            StoreSupport.Unknown => null,
            _ => false,
        };
    }

    internal override async Task<bool> TryCreateAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        try
        {
            await client.UploadAsync(new ReadOnlySequence<byte>(content), bucket, prefix + name, new UploadOptions { Overwrite = false }, null, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e) when (e.Error == TransferError.PreconditionFailed)
        {
            // The response to an earlier attempt of this request can have been lost.
            return await ReadAllAsync(name, cancellationToken).ConfigureAwait(false) is { } there && there.AsSpan().SequenceEqual(content.Span);
        }
    }

    internal override Task WriteAsync(string name, Stream content, CancellationToken cancellationToken)
        => client.UploadAsync(content, bucket, prefix + name, null, null, cancellationToken);

    internal override async Task<bool> ReadAsync(string name, Stream target, CancellationToken cancellationToken)
    {
        try
        {
            await client.DownloadAsync(bucket, prefix + name, target, null, null, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e) when (e.IsOfMissingObject)
        {
            return false;
        }
    }

    internal override async IAsyncEnumerable<string> ListAsync(string under, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (ListedObject item in client.ListObjectsAsync(bucket, prefix + under, null, cancellationToken).ConfigureAwait(false))
        {
            yield return item.Key[prefix.Length..];
        }
    }

    internal override Task DeleteAsync(string name, CancellationToken cancellationToken) => client.DeleteAsync(bucket, prefix + name, null, cancellationToken);
}
