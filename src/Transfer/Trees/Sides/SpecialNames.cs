using Microsoft.Extensions.Logging;

namespace Transfer.S3.Trees;

/// <summary>
/// Warns of files that a backup of their directory can't restore as it is, because a directory download rejects their names. The first one is logged, and the others are
/// counted. Thread-safe.
/// </summary>
internal sealed class SpecialNames(ILogger logger, string bucket)
{
    private long _count;

    /// <summary>Checks the name of a file that is uploaded.</summary>
    /// <param name="path">The path of the file.</param>
    /// <param name="name">Its path in the directory.</param>
    /// <param name="key">The key.</param>
    public void Check(string path, string name, string key)
    {
        if (KeyPath.TrySplit(name, OperatingSystem.IsWindows(), allowsSpecial: false, out _, out string? reason) || Interlocked.Increment(ref _count) > 1)
        {
            return;
        }

        string remedy = KeyPath.IsOnlySpecial(name) ? $"Use {nameof(TreeTransferOptions.AllowSpecialNames)} to download it" : $"Download s3://{bucket}/{key} as a single object";
        Log.NameNotDownloadable(logger, path, reason, remedy);
    }

    /// <summary>Logs how many names there were, if there was more than one.</summary>
    public void LogCount()
    {
        if (Interlocked.Exchange(ref _count, 0) is > 1 and var count)
        {
            Log.NamesNotDownloadable(logger, count);
        }
    }
}
