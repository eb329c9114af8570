
namespace Transfer.S3.Trees;

/// <summary>Refuses a backup that would become a part of the source, or of the target.</summary>
internal static class BackupOverlap
{
    /// <param name="backup">The name of the backup in messages.</param>
    /// <param name="source">The paths of the source and of the backup, which end in a slash; null if they can't overlap.</param>
    /// <param name="target">The paths of the target and of the backup, which end in a slash; null if they can't overlap.</param>
    /// <param name="options">The options.</param>
    /// <param name="filter">What is selected on both sides.</param>
    /// <exception cref="ArgumentException">Thrown when the backup can't be used.</exception>
    public static void Check(string backup, (string Side, string Backup)? source, (string Side, string Backup)? target, SyncOptions options, PathFilter filter)
    {
        if (source is { } read && Overlap.Exists(read.Side, read.Backup))
        {
            throw new ArgumentException($"The backup {backup} overlaps the source, so backups would be synchronized, too. Use another one.", nameof(options));
        }

        if (target is { } written && Overlap.Exists(written.Side, written.Backup) && !IsLeftOut(written.Side, written.Backup))
        {
            throw new ArgumentException(
                $"The backup {backup} overlaps the target. Use another one, or one below the target in a folder that is excluded, without {nameof(options.DeleteExcluded)}.", nameof(options));
        }

        bool IsLeftOut(string side, string below) => below.Length > side.Length && Overlap.Contains(side, below) && !options.DeleteExcluded
            && (filter.Prunes(below[side.Length..]) || filter.GetExcludedFolder(below[side.Length..]) is not null);
    }
}
