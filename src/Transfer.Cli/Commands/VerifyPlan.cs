using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>Which file is compared with which object; on which side of the line either stood makes no difference.</summary>
internal sealed record VerifyPlan(string Path, Location Object)
{
    /// <param name="source">As written on the line.</param>
    /// <param name="target">As written on the line.</param>
    /// <param name="isFolder">Whether a path on this machine is a folder.</param>
    public static VerifyPlan Resolve(string source, string target, Func<string, bool> isFolder)
    {
        Location from = Location.Parse(source);
        Location to = Location.Parse(target);
        if (from.Kind == LocationKind.Standard || to.Kind == LocationKind.Standard)
        {
            throw new UsageException("verify compares a file with an object; it does not read standard input");
        }

        if (from.Kind == to.Kind)
        {
            throw new UsageException("verify compares a file with an object: one of the two must be s3://bucket/key, and the other a path on this machine");
        }

        // Here a comparison of directories begins, once there is one.
        if (IsDirectory(from, isFolder))
        {
            throw new UsageException($"'{from}' is {(from.Kind == LocationKind.S3 ? "a bucket or a prefix" : "a folder")}; verify compares a file with an object");
        }

        // A target without a name of its own has the source's, as cp gives it: the line that copied is the line that verifies.
        CopyPlan named = CopyPlan.Resolve(source, target, isFolder);
        return from.Kind == LocationKind.S3 ? new VerifyPlan(named.Target.Text, named.Source) : new VerifyPlan(named.Source.Text, named.Target);
    }

    private static bool IsDirectory(Location location, Func<string, bool> isFolder) => location.Kind == LocationKind.S3
        ? location.Key.Length == 0 || location.Key.EndsWith('/')
        : System.IO.Path.EndsInDirectorySeparator(location.Text) || isFolder(location.Text);
}
