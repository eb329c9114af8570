using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>The source and the target of a copy of many objects: local folders, and prefixes that end with a slash or are empty.</summary>
internal sealed record FolderPlan(Location Source, Location Target)
{
    public bool Uploads => Source.Kind == LocationKind.Local;

    public bool Downloads => Target.Kind == LocationKind.Local;

    public bool IsInsideTheStore => Source.Kind == LocationKind.S3 && Target.Kind == LocationKind.S3;

    /// <summary>Gets the name that progress shows.</summary>
    public string Name
    {
        get
        {
            string path = Source.Kind == LocationKind.S3
                ? Source.Key.TrimEnd('/') is { Length: > 0 } prefix ? prefix : Source.Bucket
                : Path.TrimEndingDirectorySeparator(Path.GetFullPath(Source.Text));
            return path[(path.LastIndexOf('/') + 1)..] is { Length: > 0 } name ? name : path;
        }
    }

    /// <param name="source">The source as written on the command line.</param>
    /// <param name="target">The target as written on the command line.</param>
    public static FolderPlan Resolve(string source, string target)
    {
        Location from = Location.Parse(source);
        Location to = Location.Parse(target);
        if (from.Kind == LocationKind.Standard || to.Kind == LocationKind.Standard)
        {
            throw new UsageException("standard input and output are one object; -r copies the contents of a folder or a prefix");
        }

        if (from.Kind != LocationKind.S3 && to.Kind != LocationKind.S3)
        {
            throw new UsageException("cp does not copy from this machine to itself; the source or the target must be in a store: s3://bucket/prefix");
        }

        return new FolderPlan(AsFolder(from, "source"), AsFolder(to, "target"));
    }

    /// <summary>Gets where an object is copied from.</summary>
    public Location GetSource(ObjectOutcome outcome) => Uploads ? Source with { Text = outcome.Path ?? string.Empty } : Source with { Key = outcome.Key };

    /// <summary>Gets where an object is copied to. A key that can't be a file, or that isn't under the source, has no target: an empty path.</summary>
    public Location GetTarget(ObjectOutcome outcome) => (Uploads, IsInsideTheStore) switch
    {
        (true, _) => Target with { Key = outcome.Key },
        (_, true) => outcome.Key.StartsWith(Source.Key, StringComparison.Ordinal) ? Target with { Key = Target.Key + outcome.Key[Source.Key.Length..] } : Nowhere,
        _ => Target with { Text = outcome.Path ?? string.Empty },
    };

    /// <summary>Gets the whole address of a name at the source.</summary>
    public string GetSource(string name) => GetAddress(Source, name);

    /// <summary>Gets the whole address of a name at the target.</summary>
    public string GetTarget(string name) => GetAddress(Target, name);

    private static Location Nowhere { get; } = new(LocationKind.Local, string.Empty, string.Empty, string.Empty);

    // A name from a store is no path, so it isn't resolved.
    private static string GetAddress(Location folder, string name) => folder.Kind == LocationKind.Local
        ? Path.GetFullPath(folder.Text).TrimEnd(Path.DirectorySeparatorChar) + Path.DirectorySeparatorChar + name.Replace('/', Path.DirectorySeparatorChar)
        : (folder with { Key = folder.Key + name }).ToString();

    private static Location AsFolder(Location location, string what)
    {
        if (location.Kind != LocationKind.S3)
        {
            return location;
        }

        return location.Bucket.Length > 0 ? location.Folder : throw new UsageException($"the {what} has no bucket; specify s3://bucket or s3://bucket/prefix");
    }
}
