using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>From where to where a copy of many goes: folders of this machine, and prefixes that end in a slash or are empty.</summary>
internal sealed record FolderPlan(Location Source, Location Target)
{
    public bool Uploads => Source.Kind == LocationKind.Local;

    public bool IsInsideTheStore => Source.Kind == LocationKind.S3 && Target.Kind == LocationKind.S3;

    /// <summary>The name that progress shows.</summary>
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

    /// <param name="source">As written on the line.</param>
    /// <param name="target">As written on the line.</param>
    public static FolderPlan Resolve(string source, string target)
    {
        Location from = Location.Parse(source);
        Location to = Location.Parse(target);
        if (from.Kind == LocationKind.Standard || to.Kind == LocationKind.Standard)
        {
            throw new UsageException("standard input and output are one object; -r copies what is in a folder or under a prefix");
        }

        if (from.Kind != LocationKind.S3 && to.Kind != LocationKind.S3)
        {
            throw new UsageException("one of the two must be in a store, s3://bucket/prefix; cp does not copy from this machine to itself");
        }

        return new FolderPlan(AsFolder(from, "source"), AsFolder(to, "target"));
    }

    /// <summary>Where an object is copied from, for a person.</summary>
    public string SourceOf(ObjectOutcome outcome) => Uploads ? outcome.Path ?? string.Empty : (Source with { Key = outcome.Key }).ToString();

    /// <summary>Where an object is copied to, for a person.</summary>
    public string TargetOf(ObjectOutcome outcome) => (Uploads, IsInsideTheStore) switch
    {
        (true, _) => (Target with { Key = outcome.Key }).ToString(),
        (_, true) => (Target with { Key = Target.Key + outcome.Key[Source.Key.Length..] }).ToString(),
        _ => outcome.Path ?? string.Empty,
    };

    private static Location AsFolder(Location location, string what)
    {
        if (location.Kind != LocationKind.S3)
        {
            return location;
        }

        return location.Bucket.Length == 0 ? throw new UsageException($"the {what} has no bucket; it must be s3://bucket or s3://bucket/prefix")
            : location.Key.Length == 0 || location.Key.EndsWith('/') ? location
            : location with { Key = location.Key + "/" };
    }
}
