using Transfer.S3.Bench.Text;
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

    /// <summary>Checks that a local source is a folder.</summary>
    /// <exception cref="UsageException">Thrown when it isn't.</exception>
    public void CheckSource()
    {
        if (Uploads && !Directory.Exists(Source.Text))
        {
            throw new UsageException(File.Exists(Source.Text)
                ? $"'{Printable.Text(Source.Text)}' is a file; use 'transfer cp' to copy it"
                : $"'{Printable.Text(Source.Text)}': no such folder");
        }
    }

    private static Location AsFolder(Location location, string what)
    {
        if (location.Kind != LocationKind.S3)
        {
            return location;
        }

        return location.Bucket.Length > 0 ? location.Folder : throw new UsageException($"the {what} has no bucket; specify s3://bucket or s3://bucket/prefix");
    }
}
