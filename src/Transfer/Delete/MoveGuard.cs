using Transfer.S3.Wire;

namespace Transfer.S3.Delete;

/// <summary>Rejects options that a move can't have, because the source is deleted afterward: those of a part of an object, of a version, or without verification.</summary>
internal static class MoveGuard
{
    public static void Check(UploadOptions options) => Refuse(options.Checksum == ChecksumAlgorithm.None, nameof(options.Checksum), "None, and only a verified copy replaces its source");

    public static void Check(DownloadOptions options)
    {
        Refuse(options.Range is not null, nameof(options.Range), "set, and only whole objects can be moved");
        Refuse(options.VersionId is not null, nameof(options.VersionId), "set, and only the current version can be moved");
        Refuse(!options.Verify, nameof(options.Verify), "false, and only a verified copy replaces its source");
    }

    public static void Check(CopyOptions options)
    {
        Refuse(options.SourceVersionId is not null, nameof(options.SourceVersionId), "set, and only the current version can be moved");
        AllowedLosses.Check(options.AllowedLosses, nameof(options.AllowedLosses));
    }

    public static void Check(StoreCopyOptions options)
    {
        Refuse(options.SourceRange is not null, nameof(options.SourceRange), "set, and only whole objects can be moved");
        Refuse(options.SourceVersionId is not null, nameof(options.SourceVersionId), "set, and only the current version can be moved");
        Refuse(!options.VerifySource, nameof(options.VerifySource), "false, and only a verified copy replaces its source");
        AllowedLosses.Check(options.AllowedLosses, nameof(options.AllowedLosses));
        Check(options.Target);
    }

    /// <summary>Rejects a move of an object to itself.</summary>
    public static void CheckIsOther(ObjectAddress source, ObjectAddress target)
    {
        if (source.Bucket == target.Bucket && source.Key == target.Key)
        {
            throw new ArgumentException($"{source} can't be moved to itself.", nameof(target));
        }
    }

    private static void Refuse(bool isWrong, string name, string what)
    {
        if (isWrong)
        {
            throw new ArgumentException($"{name} is {what}.", name);
        }
    }
}
