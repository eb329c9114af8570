using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary>From where to where, with every name filled in.</summary>
internal sealed record CopyPlan(Location Source, Location Target)
{
    /// <summary>Whether anything goes up.</summary>
    public bool Uploads => Target.Kind == LocationKind.S3;

    /// <summary>The name that progress shows.</summary>
    public string Name
    {
        get
        {
            Location named = Source.Kind == LocationKind.Standard ? Target : Source;
            string path = named.Kind == LocationKind.S3 ? named.Key : named.Text;
            return path[(path.LastIndexOf('/') + 1)..] is { Length: > 0 } name ? name : path;
        }
    }

    /// <param name="source">As written on the line.</param>
    /// <param name="target">As written on the line.</param>
    /// <param name="isFolder">Whether a path on this machine is a folder.</param>
    public static CopyPlan Resolve(string source, string target, Func<string, bool> isFolder)
    {
        Location from = Location.Parse(source);
        Location to = Location.Parse(target);
        if (from.Kind != LocationKind.S3 && to.Kind != LocationKind.S3)
        {
            throw new UsageException("one of the two must be in a store, s3://bucket/key; cp does not copy from this machine to itself");
        }

        if (from.Kind == LocationKind.S3 && from.Key.Length == 0)
        {
            throw new UsageException(from.Bucket.Length == 0 ? "the source has no bucket; it must be s3://bucket/key" : $"'{from}' names a bucket; for all that is in it, add -r");
        }

        if (from.Kind == LocationKind.S3 && from.Key.EndsWith('/'))
        {
            throw new UsageException($"'{Printable.Text(from.ToString())}' names a prefix; for all that is under it, add -r");
        }

        return new CopyPlan(from, to.Kind switch
        {
            LocationKind.S3 => ResolveKey(from, to),
            LocationKind.Local => ResolvePath(from, to, isFolder),
            _ => to,
        });
    }

    private static Location ResolveKey(Location from, Location to)
    {
        if (to.Bucket.Length == 0)
        {
            throw new UsageException("the target has no bucket; it must be s3://bucket/key");
        }

        if (to.Key.Length > 0 && !to.Key.EndsWith('/'))
        {
            return to;
        }

        string name = from.Kind switch
        {
            LocationKind.Standard => throw new UsageException($"standard input has no name; give the whole key: {to}name"),
            LocationKind.S3 => LastSegment(from),
            _ => Path.GetFileName(from.Text),
        };
        return to with { Key = to.Key + name };
    }

    private static Location ResolvePath(Location from, Location to, Func<string, bool> isFolder)
        => Path.EndsInDirectorySeparator(to.Text) || isFolder(to.Text) ? to with { Text = Path.Combine(to.Text, SafeName(from)) } : to;

    private static string LastSegment(Location from) => from.Key[(from.Key.LastIndexOf('/') + 1)..];

    // The key is the store's word: it must not lead out of the folder that the user named.
    private static string SafeName(Location from)
    {
        string name = LastSegment(from);
        bool isSafe = name is not ("." or "..") && name.AsSpan().IndexOfAny(Path.GetInvalidFileNameChars()) < 0;
        return isSafe ? name : throw new UsageException($"'{Printable.Text(name)}' can't be a file's name here; name the target file in full");
    }
}
