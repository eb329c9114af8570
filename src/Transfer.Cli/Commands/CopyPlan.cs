using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>The source and the target of a copy of one object, with complete names.</summary>
internal sealed record CopyPlan(Location Source, Location Target)
{
    /// <summary>Gets a value that indicates whether the target is in a store.</summary>
    public bool Uploads => Target.Kind == LocationKind.S3;

    /// <summary>Gets the name that progress shows.</summary>
    public string Name
    {
        get
        {
            Location named = Source.Kind == LocationKind.Standard ? Target : Source;
            string path = named.Kind == LocationKind.S3 ? named.Key : named.Text;
            return path[(path.LastIndexOf('/') + 1)..] is { Length: > 0 } name ? name : path;
        }
    }

    /// <param name="source">The source as written on the command line.</param>
    /// <param name="target">The target as written on the command line.</param>
    /// <param name="isFolder">Whether a local path is a folder.</param>
    public static CopyPlan Resolve(string source, string target, Func<string, bool> isFolder)
    {
        Location from = Location.Parse(source);
        Location to = Location.Parse(target);
        if (from.Kind != LocationKind.S3 && to.Kind != LocationKind.S3)
        {
            throw NoStore();
        }

        if (from.Kind == LocationKind.S3 && from.Key.Length == 0)
        {
            throw new UsageException(from.Bucket.Length == 0 ? "the source has no bucket; specify s3://bucket/key" : $"'{from}' is a bucket; add -r to copy all objects in it");
        }

        if (from.Kind == LocationKind.S3 && from.Key.EndsWith('/'))
        {
            throw new UsageException($"'{Printable.Text(from.ToString())}' is a prefix; add -r to copy all objects under it");
        }

        return new CopyPlan(from, to.Kind switch
        {
            LocationKind.S3 => ResolveKey(from, to),
            LocationKind.Local => ResolvePath(from, to, isFolder),
            _ => to,
        });
    }

    /// <summary>Plans a copy of several sources into one folder or prefix.</summary>
    /// <param name="sources">The sources as written on the command line. One that is given twice is copied once.</param>
    /// <param name="target">The target as written on the command line.</param>
    /// <param name="isFolder">Whether a local path is a folder.</param>
    public static IReadOnlyList<CopyPlan> ResolveAll(IReadOnlyList<string> sources, string target, Func<string, bool> isFolder)
    {
        Location to = Location.Parse(target);
        bool isLocalFolder = to.Kind == LocationKind.Local && (Path.EndsInDirectorySeparator(to.Text) || isFolder(to.Text));
        if (to.Kind != LocationKind.S3 && sources.Any(source => Location.Parse(source).Kind != LocationKind.S3))
        {
            throw NoStore();
        }

        CheckTakesSeveral(to, isLocalFolder, sources.Count);
        List<CopyPlan> plans = [];
        Dictionary<string, string> taken = new(isLocalFolder && (OperatingSystem.IsWindows() || OperatingSystem.IsMacOS()) ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal);
        foreach (string source in sources.Distinct(StringComparer.Ordinal))
        {
            if (source == "-")
            {
                throw new UsageException("'-' can't be one of several sources, because standard input has no name; copy it separately: transfer cp - s3://bucket/key");
            }

            CopyPlan plan = Resolve(source, target, _ => isLocalFolder);
            // A folder is reported as a failure during the copy.
            bool isFolderSource = plan.Source.Kind == LocationKind.Local && (Path.EndsInDirectorySeparator(source) || isFolder(source));
            if (!isFolderSource && !taken.TryAdd(plan.Target.ToString(), source))
            {
                throw new UsageException($"'{source}' and '{taken[plan.Target.ToString()]}' would both be copied to '{plan.Target}'; copy one of them separately, to another name");
            }

            plans.Add(plan);
        }

        return plans;
    }

    /// <summary>Checks that a local source is a file.</summary>
    /// <exception cref="IOException">Thrown when the source is a folder or doesn't exist.</exception>
    public void CheckSource()
    {
        if (Source.Kind == LocationKind.Local && !File.Exists(Source.Text))
        {
            throw Directory.Exists(Source.Text)
                ? new IOException($"'{Source.Text}' is a folder and was not copied; copy it separately, with -r")
                : new FileNotFoundException($"'{Source.Text}': no such file", Source.Text);
        }
    }

    /// <summary>Creates the outcome of the copy. Its places are the whole addresses, because the target can have another name than the source.</summary>
    public Outcome CreateOutcome(OutcomeStatus status)
        => new() { Operation = ObjectOperation.Copy, Status = status, Name = string.Empty, Bytes = 0, From = Source.Place, To = Target.Place };

    private static UsageException NoStore() => new("cp does not copy from this machine to itself; the source or the target must be in a store: s3://bucket/key");

    private static void CheckTakesSeveral(Location to, bool isLocalFolder, int count)
    {
        string? wrong = to.Kind switch
        {
            LocationKind.Standard => "standard output takes one object",
            LocationKind.Local when !isLocalFolder => $"'{to}' is not a folder",
            LocationKind.S3 when to.Key.Length > 0 && !to.Key.EndsWith('/') => $"'{to}' does not end with '/'",
            _ => null,
        };
        if (wrong is not null)
        {
            throw new UsageException($"{wrong}, and {count} sources were given; their target must be an existing folder, a path or a prefix that ends with '/', or a bucket");
        }
    }

    private static Location ResolveKey(Location from, Location to)
    {
        if (to.Bucket.Length == 0)
        {
            throw new UsageException("the target has no bucket; specify s3://bucket/key");
        }

        if (to.Key.Length > 0 && !to.Key.EndsWith('/'))
        {
            return to;
        }

        string name = from.Kind switch
        {
            LocationKind.Standard => throw new UsageException($"standard input has no name; specify the whole key, such as {to}name"),
            LocationKind.S3 => LastSegment(from),
            _ => Path.GetFileName(from.Text),
        };
        return to with { Key = to.Key + name };
    }

    private static Location ResolvePath(Location from, Location to, Func<string, bool> isFolder)
        => Path.EndsInDirectorySeparator(to.Text) || isFolder(to.Text) ? to with { Text = Path.Combine(to.Text, SafeName(from)) } : to;

    private static string LastSegment(Location from) => from.Key[(from.Key.LastIndexOf('/') + 1)..];

    // The key comes from the store, so the path must not be outside the user's folder.
    private static string SafeName(Location from)
    {
        string name = LastSegment(from);
        bool isSafe = name is not ("." or "..") && name.AsSpan().IndexOfAny(Path.GetInvalidFileNameChars()) < 0;
        return isSafe ? name : throw new UsageException($"'{Printable.Text(name)}' is not a valid file name here; specify the target file name");
    }
}
