using Amazon.S3;
using Amazon.S3.Model;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary>Reads, changes, and writes the tags of an object.</summary>
internal sealed class TagRunner(Location address, string? versionId, bool requesterPays, IAmazonS3 s3, Invocation invocation)
{
    private RequestPayer? Payer => requesterPays ? RequestPayer.Requester : null;

    public async Task RunAsync(TagChanges changes, CancellationToken cancellationToken)
    {
        // If all tags are replaced, the present ones don't matter.
        IEnumerable<KeyValuePair<string, string>> current = changes.Clear ? [] : await ReadAsync(cancellationToken).ConfigureAwait(false);
        SortedDictionary<string, string> tags = changes.ApplyTo(current);
        if (!changes.IsEmpty)
        {
            await WriteAsync(tags, cancellationToken).ConfigureAwait(false);
        }

        invocation.Tally.Objects = 1;
        Show(tags);
    }

    private async Task<IEnumerable<KeyValuePair<string, string>>> ReadAsync(CancellationToken cancellationToken)
    {
        invocation.Tally.Requests++;
        GetObjectTaggingResponse response = await s3.GetObjectTaggingAsync(
            new GetObjectTaggingRequest { BucketName = address.Bucket, Key = address.Key, VersionId = versionId, RequestPayer = Payer }, cancellationToken).ConfigureAwait(false);
        return (response.Tagging ?? []).Select(tag => KeyValuePair.Create(tag.Key, tag.Value ?? string.Empty));
    }

    private async Task WriteAsync(SortedDictionary<string, string> tags, CancellationToken cancellationToken)
    {
        invocation.Tally.Requests++;
        if (tags.Count == 0)
        {
            await s3.DeleteObjectTaggingAsync(
                new DeleteObjectTaggingRequest { BucketName = address.Bucket, Key = address.Key, VersionId = versionId }, cancellationToken).ConfigureAwait(false);
            return;
        }

        PutObjectTaggingRequest request = new()
        {
            BucketName = address.Bucket,
            Key = address.Key,
            VersionId = versionId,
            RequestPayer = Payer,
            Tagging = new Tagging { TagSet = [.. tags.Select(tag => new Tag { Key = tag.Key, Value = tag.Value })] },
        };
        await s3.PutObjectTaggingAsync(request, cancellationToken).ConfigureAwait(false);
    }

    private void Show(SortedDictionary<string, string> tags)
    {
        foreach ((string key, string value) in tags)
        {
            if (invocation.Output.Json)
            {
                CommandRunner.WriteJson(invocation.Console.Output, new ObjectTagJson(key, value), ToolJsonContext.Instance.ObjectTagJson);
            }
            else
            {
                invocation.Console.Output.WriteLine(Printable.Text($"{key}={value}"));
            }
        }
    }
}
