using Transfer.S3.Stores;
using Transfer.S3.Wire;

namespace Transfer.S3.Probing;

/// <summary>What PutObject supports.</summary>
internal static class WriteProbes
{
    public static IReadOnlyList<Probe> All { get; } =
    [
        new("unsigned-body", "Bodies that are protected by a checksum instead of the signature", UnsignedBodyAsync),
        new("put-if-absent", "PutObject only if the key doesn't exist", PutIfAbsentAsync) { Trait = StoreTrait.PutCondition },
        new("put-if-match", "PutObject only if the object is unchanged", PutIfMatchAsync) { Trait = StoreTrait.PutMatch },
        new("metadata", "Metadata of objects", MetadataAsync),
        new("tags", "Tags of objects", TagsAsync) { Trait = StoreTrait.Tags },
        new("tag-count", "The number of tags in the response to a read", TagCountAsync) { Trait = StoreTrait.TagCount, Requires = ["tags"] },
        new("unusual-keys", "Keys with empty folders, backslashes, and control characters", UnusualKeysAsync),
    ];

    private static readonly (string What, string Name)[] UnusualKeys =
    [
        ("an empty folder name", "a//b"), ("a slash at the end", "folder/"), ("two dots", "a/../b"), ("a backslash", "a\\b"), ("a plus and a percent sign", "a+%25 b"),
        ("a letter outside ASCII", "\u00E9"), ("a control character", "a\tb"),
    ];

    /// <summary>Learned by the wire from the first object, which has a body.</summary>
    private static async Task<Finding> UnsignedBodyAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        await area.PutAsync("unsigned", cancellationToken: cancellationToken).ConfigureAwait(false);
        StoreFact? fact = area.Profile.Facts.FirstOrDefault(static fact => fact.Trait == StoreTrait.UnsignedBodies);
        return fact is null
            ? Finding.Unknown("bodies to this endpoint are always signed, because the connection isn't protected or the client is configured so")
            : new Finding(fact.Support, fact.Reason);
    }

    private static async Task<Finding> PutIfAbsentAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        const string Name = "put-if-absent";
        WriteCondition absent = new(ForbidsOverwrite: true);
        return await ProbeArea.ErrorOfAsync(area.PutAsync(Name, absent, cancellationToken: cancellationToken)).ConfigureAwait(false) is { } refusal
            ? Finding.OfError(refusal)
            : Finding.OfCondition(await ProbeArea.ErrorOfAsync(area.PutAsync(Name, absent, cancellationToken: cancellationToken)).ConfigureAwait(false));
    }

    private static async Task<Finding> PutIfMatchAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        const string Name = "put-if-match";
        PublishedObject first = await area.PutAsync(Name, cancellationToken: cancellationToken).ConfigureAwait(false);
        return await ProbeArea.ErrorOfAsync(area.PutAsync(Name, new WriteCondition(false, ETags.Quoted(first.ETag)), cancellationToken: cancellationToken)).ConfigureAwait(false) is { } refusal
            ? Finding.OfError(refusal)
            : Finding.OfCondition(await ProbeArea.ErrorOfAsync(
                area.PutAsync(Name, new WriteCondition(false, ProbeArea.OtherETag), cancellationToken: cancellationToken)).ConfigureAwait(false));
    }

    private static async Task<Finding> MetadataAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        const string Value = "one two";
        ObjectHeaders headers = new() { Metadata = new Dictionary<string, string> { ["transfer-probe"] = Value } };
        if (await ProbeArea.ErrorOfAsync(area.PutAsync("metadata", headers: headers, cancellationToken: cancellationToken)).ConfigureAwait(false) is { } refusal)
        {
            return Finding.OfError(refusal);
        }

        ObjectInfo info = (await area.SendAsync((wire, token) => wire.HeadAsync(area.At("metadata"), token), cancellationToken).ConfigureAwait(false)).Info;
        return info.Metadata.TryGetValue("transfer-probe", out string? value) && value == Value ? Finding.Supported : Finding.Ignored("the metadata was not returned");
    }

    private static async Task<Finding> TagsAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        if (await ProbeArea.ErrorOfAsync(PutTaggedAsync(area, cancellationToken)).ConfigureAwait(false) is { } refusal)
        {
            return Finding.OfError(refusal);
        }

        try
        {
            IReadOnlyDictionary<string, string> tags = await area.SendAsync((wire, token) => wire.GetTagsAsync(area.At("tags"), token), cancellationToken).ConfigureAwait(false);
            return tags.TryGetValue("probe", out string? value) && value == "1" ? Finding.Supported : Finding.Ignored("the tags were not returned");
        }
        catch (WireException e)
        {
            return Finding.OfError(e);
        }
    }

    private static async Task<Finding> TagCountAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        ObjectInfo info = (await area.SendAsync((wire, token) => wire.HeadAsync(area.At("tags"), token), cancellationToken).ConfigureAwait(false)).Info;
        return info.TagCount is > 0 ? Finding.Supported : Finding.Ignored("the response has no number of tags");
    }

    private static Task<PublishedObject> PutTaggedAsync(ProbeArea area, CancellationToken cancellationToken)
        => area.PutAsync("tags", headers: new ObjectHeaders { Tags = new Dictionary<string, string> { ["probe"] = "1" } }, cancellationToken: cancellationToken);

    private static async Task<Finding> UnusualKeysAsync(ProbeArea area, CancellationToken cancellationToken)
    {
        List<string> refused = [];
        List<string> lost = [];
        foreach ((string what, string name) in UnusualKeys)
        {
            string place = "keys/" + name;
            if (await ProbeArea.ErrorOfAsync(area.PutAsync(place, cancellationToken: cancellationToken)).ConfigureAwait(false) is { } error)
            {
                if (error.MayRetry)
                {
                    return Finding.OfError(error);
                }

                refused.Add(what);
            }
            else if (!await IsListedAsync(area, place, cancellationToken).ConfigureAwait(false))
            {
                lost.Add(what);
            }
        }

        return lost.Count > 0 ? Finding.Ignored($"a key is stored under another name if it has {string.Join(", ", lost)}")
            : refused.Count > 0 ? new Finding(StoreSupport.Refused, $"a key is refused if it has {string.Join(", ", refused)}")
            : Finding.Supported;
    }

    private static async Task<bool> IsListedAsync(ProbeArea area, string name, CancellationToken cancellationToken)
    {
        Page<ListedObject> page = await area.SendAsync(
            (wire, token) => wire.ListAsync(new ListQuery(area.Bucket, area.Prefix + name, ReadAccess.Plain), null, token), cancellationToken).ConfigureAwait(false);
        return page.Items.Any(item => item.Key == area.Prefix + name) && await area.ExistsAsync(name, cancellationToken).ConfigureAwait(false);
    }
}
