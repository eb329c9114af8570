using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Probing;

/// <summary>What listings support.</summary>
internal static class ListProbes
{
    private const string Folder = "list/";

    /// <summary>Names in the order of UTF-8. That of UTF-16 differs for the last two, and that of most cultures for the first two.</summary>
    private static readonly string[] Names = ["B", "a", "b/x", "c", "\uFF5E", "\U0001F600"];

    public static IReadOnlyList<Probe> All { get; } =
    [
        new("list-v2", "ListObjectsV2", ListV2Async) { Trait = StoreTrait.ListV2 },
        new("list-order", "Listing in the order of UTF-8", ListOrderAsync),
        new("start-after", "Listing from any key, which lets several listings run at the same time", StartAfterAsync),
        new("delimiter", "Listing the folders of one level", DelimiterAsync),
        new("list-versions", "Listing versions", ListVersionsAsync),
    ];

    /// <summary>Lists in pages, so that the store has to continue a listing. The wire learns whether the response is that of an older call.</summary>
    private static async Task<Finding> ListV2Async(ProbeArea area, CancellationToken cancellationToken)
    {
        foreach (string name in Names)
        {
            await area.PutAsync(Folder + name, cancellationToken: cancellationToken).ConfigureAwait(false);
        }

        area.Profile.Forget(StoreTrait.ListV2, area.Bucket);
        try
        {
            IReadOnlyList<string> names = await ListAsync(area, new ListQuery(area.Bucket, area.Prefix + Folder, ReadAccess.Plain) { MaxKeys = 2 }, cancellationToken).ConfigureAwait(false);
            StoreFact? fact = area.Profile.Facts.FirstOrDefault(fact => fact.Trait == StoreTrait.ListV2 && fact.Scope == area.Bucket);
            return fact is not null ? new Finding(fact.Support, fact.Reason)
                : names.Count == Names.Length ? Finding.Supported
                : Finding.Ignored("a listing in pages is not complete");
        }
        catch (WireException e)
        {
            return Finding.OfError(e);
        }
    }

    private static async Task<Finding> ListOrderAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        IReadOnlyList<string> names = await ListAsync(area, new ListQuery(area.Bucket, area.Prefix + Folder, ReadAccess.Plain), cancellationToken).ConfigureAwait(false);
        return names.SequenceEqual(Names) ? Finding.Supported : Finding.Ignored($"the order is {string.Join(", ", names)}");
    }

    private static async Task<Finding> StartAfterAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        try
        {
            ListQuery query = new(area.Bucket, area.Prefix + Folder, ReadAccess.Plain) { StartAfter = $"{area.Prefix}{Folder}b" };
            IReadOnlyList<string> names = await ListAsync(area, query, cancellationToken).ConfigureAwait(false);
            return names.SequenceEqual(Names.Skip(2)) ? Finding.Supported : Finding.Ignored("the listing began with another key");
        }
        catch (WireException e)
        {
            return Finding.OfError(e);
        }
    }

    private static async Task<Finding> DelimiterAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        try
        {
            IReadOnlyList<string> names = await ListAsync(area, new ListQuery(area.Bucket, area.Prefix + Folder, ReadAccess.Plain, "/"), cancellationToken).ConfigureAwait(false);
            return names.Contains("b/") && !names.Contains("b/x") ? Finding.Supported : Finding.Ignored("the listing contained the objects of a folder");
        }
        catch (WireException e)
        {
            return Finding.OfError(e);
        }
    }

    private static async Task<Finding> ListVersionsAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        try
        {
            ListQuery query = new(area.Bucket, area.Prefix + Folder, ReadAccess.Plain) { Versions = true };
            return (await ListAsync(area, query, cancellationToken).ConfigureAwait(false)).Count >= Names.Length ? Finding.Supported : Finding.Ignored("the listing does not contain the objects");
        }
        catch (WireException e)
        {
            return Finding.OfError(e);
        }
    }

    /// <summary>Lists names without the folder, in the order of the store.</summary>
    private static async Task<IReadOnlyList<string>> ListAsync(ProbeArea area, ListQuery query, CancellationToken cancellationToken)
    {
        List<string> names = [];
        PageEnd? after = null;
        do
        {
            PageEnd? end = after;
            Page<ListedObject> page = await area.SendAsync((wire, token) => wire.ListAsync(query, end, token), cancellationToken).ConfigureAwait(false);
            names.AddRange(page.Items.Select(item => item.Key[(area.Prefix.Length + Folder.Length)..]));
            after = page.Next;
        }
        while (after is not null);
        return names;
    }
}
