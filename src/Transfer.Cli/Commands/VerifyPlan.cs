using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>Which file is compared with which object, or which folder with which prefix; on which side of the line either stood makes no difference.</summary>
internal sealed record VerifyPlan(string Path, Location Object, bool IsDirectory = false)
{
    /// <param name="source">As written on the line.</param>
    /// <param name="target">As written on the line.</param>
    /// <param name="recursive">Whether a folder is meant, whatever the names look like.</param>
    /// <param name="isFolder">Whether a path on this machine is a folder.</param>
    /// <param name="isFile">Whether it is a file.</param>
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
                "verify compares a file with an object, or a folder with a prefix: one of the two must be s3://bucket/key, and the other a path on this machine");
        }

        (Location local, Location stored) = from.Kind == LocationKind.S3 ? (to, from) : (from, to);
        if (stored.Bucket.Length == 0)
        {
            throw new UsageException($"'{stored}' has no bucket; it must be s3://bucket/key or s3://bucket/prefix");
        }

        bool isWhole = recursive || IsTree(from, isFolder) || IsTreeBeside(from, to, isFolder, isFile);
        if (isWhole && isFile(local.Text))
        {
            throw new UsageException($"'{local}' is a file; a prefix is compared with a folder");
        }

        if (isWhole)
        {
            return new VerifyPlan(local.Text, stored, IsDirectory: true);
        }

        // A target without a name of its own has the source's, as cp gives it: the line that copied is the line that verifies.
        CopyPlan named = CopyPlan.Resolve(source, target, isFolder);
        return from.Kind == LocationKind.S3 ? new VerifyPlan(named.Target.Text, named.Source) : new VerifyPlan(named.Source.Text, named.Target);
    }

    /// <summary>Whether a source is many files or objects by its name alone.</summary>
    private static bool IsTree(Location from, Func<string, bool> isFolder) => from.Kind == LocationKind.S3
        ? from.Key.Length == 0 || from.Key.EndsWith('/')
        : System.IO.Path.EndsInDirectorySeparator(from.Text) || isFolder(from.Text);

    /// <summary>Whether what may be a key or a prefix is a prefix, beside a folder: a key would have its file there, where cp puts it.</summary>
    private static bool IsTreeBeside(Location from, Location to, Func<string, bool> isFolder, Func<string, bool> isFile)
        => from.Kind == LocationKind.S3 && isFolder(to.Text) && !isFile(System.IO.Path.Combine(to.Text, from.Key[(from.Key.LastIndexOf('/') + 1)..]));
}
