using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>The file and the object to compare, or the folder and the prefix, in either order of the command line.</summary>
internal sealed record VerifyPlan(string Path, Location Object, bool IsDirectory = false)
{
    /// <summary>Gets the prefix as it is used.</summary>
    public Location Prefix => Object.Folder;

    /// <param name="source">The source as written on the command line.</param>
    /// <param name="target">The target as written on the command line.</param>
    /// <param name="recursive">Whether to compare a folder, regardless of the form of the names.</param>
    /// <param name="isFolder">Whether a local path is a folder.</param>
    /// <param name="isFile">Whether a local path is a file.</param>
    public static VerifyPlan Resolve(string source, string target, bool recursive, Func<string, bool> isFolder, Func<string, bool> isFile)
    {
        Location from = Location.Parse(source);
        Location to = Location.Parse(target);
        if (from.Kind == LocationKind.Standard || to.Kind == LocationKind.Standard)
        {
            throw new UsageException("verify compares a file with an object; it does not read standard input");
        }

        if (from.Kind == to.Kind)
        {
            throw new UsageException(
                "verify compares a file with an object, a folder with a prefix, or two of a store; at least one of the two must be s3://bucket/key");
        }

        (Location local, Location stored) = from.Kind == LocationKind.S3 ? (to, from) : (from, to);
        if (stored.Bucket.Length == 0)
        {
            throw new UsageException($"'{stored}' has no bucket; specify s3://bucket/key or s3://bucket/prefix");
        }

        bool isWhole = recursive || IsTree(from, isFolder) || IsTreeBeside(from, to, isFolder, isFile);
        if (isWhole && isFile(local.Text))
        {
            throw new UsageException($"'{local}' is a file; a prefix can only be compared with a folder");
        }

        if (isWhole)
        {
            return new VerifyPlan(local.Text, stored, IsDirectory: true);
        }

        // Names are completed as cp completes them, so that the arguments of a copy can be used to verify it.
        CopyPlan named = CopyPlan.Resolve(source, target, isFolder);
        return from.Kind == LocationKind.S3 ? new VerifyPlan(named.Target.Text, named.Source) : new VerifyPlan(named.Source.Text, named.Target);
    }

    /// <summary>Gets whether the name of a source is that of many files or objects.</summary>
    private static bool IsTree(Location from, Func<string, bool> isFolder) => from.Kind == LocationKind.S3
        ? from.Key.Length == 0 || from.Key.EndsWith('/')
        : System.IO.Path.EndsInDirectorySeparator(from.Text) || isFolder(from.Text);

    /// <summary>Gets whether a key or prefix that is compared with a folder is a prefix: for a key, cp would have put a file into the folder.</summary>
    private static bool IsTreeBeside(Location from, Location to, Func<string, bool> isFolder, Func<string, bool> isFile)
        => from.Kind == LocationKind.S3 && isFolder(to.Text) && !isFile(System.IO.Path.Combine(to.Text, from.Key[(from.Key.LastIndexOf('/') + 1)..]));
}
