using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>The two objects to compare, or the two prefixes.</summary>
internal sealed record VerifyStoresPlan(Location Source, Location Target, bool IsTree)
{
    /// <param name="source">The source as written on the command line.</param>
    /// <param name="target">The target as written on the command line.</param>
    /// <param name="recursive">Whether to compare prefixes, regardless of the form of the names.</param>
    /// <returns>Null if one of the two isn't in a store.</returns>
    public static VerifyStoresPlan? TryResolve(string source, string target, bool recursive)
    {
        Location from = Location.Parse(source);
        if (from.Kind != LocationKind.S3 || Location.Parse(target).Kind != LocationKind.S3)
        {
            return null;
        }

        if (recursive || from.Key.Length == 0 || from.Key.EndsWith('/'))
        {
            FolderPlan folders = FolderPlan.Resolve(source, target);
            return new VerifyStoresPlan(folders.Source, folders.Target, IsTree: true);
        }

        // Names are completed as cp completes them, so that the arguments of a copy can be used to verify it.
        CopyPlan objects = CopyPlan.Resolve(source, target, static _ => false);
        return new VerifyStoresPlan(objects.Source, objects.Target, IsTree: false);
    }
}
