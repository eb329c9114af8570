namespace Transfer.S3.Cli.Options;

/// <summary>
/// An address whose key has wildcards. As in a shell, <c>*</c> and <c>?</c> match within a name and never a slash, and without -r, only objects whose whole key matches
/// are selected. With -r, so is what is in the folders that match, and <c>**</c> matches any folders.
/// </summary>
/// <param name="Given">The address on the command line.</param>
/// <param name="Folder">The folder above the first name with a wildcard.</param>
/// <param name="Rest">The key without the folder.</param>
internal sealed record KeyPattern(Location Given, Location Folder, string Rest)
{
    private const string AnyFolders = "**";

    /// <summary>Gets what all keys begin with.</summary>
    public Location Literal => Given with { Key = Given.Key[..IndexOfWildcard(Given.Key)] };

    /// <summary>Gets a value that indicates whether the pattern is about the objects of a bucket, whatever their names are.</summary>
    public bool CoversBucket => Folder.Key.Length == 0 && Rest.AsSpan().IndexOfAnyExcept("*?/") < 0;

    /// <summary>Gets a value that indicates whether only the names of one level are matched.</summary>
    public bool IsOneLevel => !Rest.Contains('/', StringComparison.Ordinal);

    /// <summary>What to say if nothing was found.</summary>
    public const string NothingMatched = "nothing matches; * and ? don't match a /, -r selects what is in the folders that match, and with -r, ** matches any folders";

    /// <summary>Gets the pattern that an address can be; null if it has no wildcards.</summary>
    public static KeyPattern? Find(Location address)
    {
        if (address.Kind != LocationKind.S3 || IndexOfWildcard(address.Key) is not (>= 0 and int first))
        {
            return null;
        }

        int folder = address.Key.LastIndexOf('/', first) + 1;
        return new KeyPattern(address, address with { Key = address.Key[..folder] }, address.Key[folder..]);
    }

    /// <summary>Gets whether an object or a folder has the address as its name. It then isn't a pattern.</summary>
    /// <param name="client">The client.</param>
    /// <param name="options">How the objects are listed.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<bool> IsNameAsync(TransferClient client, ListObjectsOptions options, CancellationToken cancellationToken)
    {
        options = options with { Delimiter = null, Filter = null };
        return await FirstKeyAsync(Given.Folder.Key).ConfigureAwait(false) is not null || await FirstKeyAsync(Given.Key).ConfigureAwait(false) == Given.Key;

        async Task<string?> FirstKeyAsync(string prefix)
            => (await client.ListObjectsAsync(Given.Bucket, prefix, options, cancellationToken).FirstOrDefaultAsync(cancellationToken).ConfigureAwait(false))?.Key;
    }

    /// <summary>Adds the pattern to a filter of paths in the folder, so that what is selected meets both.</summary>
    /// <param name="filter">The filter of the command line.</param>
    /// <param name="recursive">Whether -r is given.</param>
    /// <param name="withFolders">Whether what is in the folders that match is selected, too.</param>
    /// <exception cref="UsageException">Thrown when the rules can't be combined.</exception>
    public ObjectFilter AddTo(ObjectFilter? filter, bool recursive, bool withFolders)
    {
        filter ??= new ObjectFilter();
        if (filter.Rules.Any(static rule => rule.IsIncluded))
        {
            throw new UsageException($"'{Given}' has wildcards, which can be combined with --exclude, but not with --include; use --include with '{Folder}'");
        }

        if (!recursive && (Rest.EndsWith('/') || Rest.Split('/').Contains(AnyFolders)))
        {
            throw new UsageException($"'{Given}' selects what is in folders; add -r");
        }

        // The last rule that matches decides, and the first one includes, so that nothing else is selected. A pattern without a slash would match at any depth.
        List<FilterRule> rules = [new(IsOneLevel ? "/" + Rest : Rest, IsIncluded: true)];
        if (IsOneLevel && Rest.Trim('*').Length > 0)
        {
            rules.Add(new FilterRule("//", IsIncluded: false)); // the slash before the pattern also matches a folder without a name
        }

        if (!withFolders)
        {
            rules.Add(new FilterRule(rules[0].Pattern + "/", IsIncluded: false));
        }

        return filter with { Rules = [.. rules, .. filter.Rules] };
    }

    private static int IndexOfWildcard(string key) => key.AsSpan().IndexOfAny('*', '?');
}
