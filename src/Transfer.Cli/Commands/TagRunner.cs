using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Reads, changes, and writes the tags of an object.</summary>
/// <param name="address">The object.</param>
/// <param name="versionId">The version of the object; null for the current one.</param>
/// <param name="requesterPays">Whether the requester pays.</param>
/// <param name="isDryRun">Whether the tags are only shown as they would be.</param>
/// <param name="client">The client of the store.</param>
/// <param name="invocation">The run of the command.</param>
internal sealed class TagRunner(Location address, string? versionId, bool requesterPays, bool isDryRun, TransferClient client, Invocation invocation)
{
    public async Task RunAsync(TagChanges changes, CancellationToken cancellationToken)
    {
        ObjectAccessOptions options = new() { VersionId = versionId, RequesterPays = requesterPays };

        // If all tags are replaced, the present ones don't matter. A dry run finds out whether the object exists.
        IEnumerable<KeyValuePair<string, string>> current = changes.Clear && !isDryRun
            ? []
            : await client.GetTagsAsync(address.Bucket, address.Key, options, cancellationToken).ConfigureAwait(false);
        SortedDictionary<string, string> tags = changes.ApplyTo(current);
        if (!changes.IsEmpty && !isDryRun)
        {
            await client.SetTagsAsync(address.Bucket, address.Key, tags, options, cancellationToken).ConfigureAwait(false);
        }

        invocation.Tally.Objects = 1;
        Show(tags);
        if (isDryRun)
        {
            invocation.Console.Flush();
            invocation.Summary($"would {(tags.SequenceEqual(current.OrderBy(static tag => tag.Key, StringComparer.Ordinal)) ? "not change" : "change")} the tags of {address}");
        }
    }

    private void Show(SortedDictionary<string, string> tags)
    {
        foreach ((string key, string value) in tags)
        {
            if (invocation.Output.Json)
            {
                CommandRunner.WriteJson(invocation.Console.Output, new ObjectTagJson(key, value), ToolJsonContext.Default.ObjectTagJson);
            }
            else
            {
                invocation.Console.Output.WriteLine(Printable.Text($"{key}={value}"));
            }
        }
    }
}
