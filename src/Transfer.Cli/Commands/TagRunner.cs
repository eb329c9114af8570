using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary>Reads, changes, and writes the tags of an object.</summary>
internal sealed class TagRunner(Location address, string? versionId, bool requesterPays, TransferClient client, Invocation invocation)
{
    public async Task RunAsync(TagChanges changes, CancellationToken cancellationToken)
    {
        TagOptions options = new() { VersionId = versionId, RequesterPays = requesterPays };

        // If all tags are replaced, the present ones don't matter.
        IEnumerable<KeyValuePair<string, string>> current = changes.Clear
            ? []
            : await client.GetTagsAsync(address.Bucket, address.Key, options, cancellationToken).ConfigureAwait(false);
        SortedDictionary<string, string> tags = changes.ApplyTo(current);
        if (!changes.IsEmpty)
        {
            await client.SetTagsAsync(address.Bucket, address.Key, tags, options, cancellationToken).ConfigureAwait(false);
        }

        invocation.Tally.Objects = 1;
        Show(tags);
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
