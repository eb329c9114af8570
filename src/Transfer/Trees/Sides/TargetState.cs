using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>What a target must be when it is written. The default is that it must not exist.</summary>
internal readonly record struct TargetState
{
    /// <summary>Gets any state, so that whatever is there is replaced.</summary>
    public static TargetState Any => new() { IsAny = true };

    public bool IsAny { get; private init; }

    /// <summary>Gets the entry that the target must still be; null for none.</summary>
    public TreeEntry? Entry { get; private init; }

    /// <summary>Gets what a request has told about an object that must not exist; null if none was sent.</summary>
    public ObjectPresence? Presence { get; private init; }

    /// <summary>Gets the state in which the target doesn't exist.</summary>
    public static TargetState Absent(ObjectPresence? presence) => new() { Presence = presence };

    /// <summary>Finds out how a target has changed since it was listed.</summary>
    /// <param name="listed">The target as it was; null if there was none.</param>
    /// <param name="now">The target as it is; null if there is none.</param>
    /// <returns>Null if it hasn't.</returns>
    public static string? FindChange(TreeEntry? listed, TreeEntry? now)
        => listed is null ? (now is null ? null : "created")
            : now is null ? "deleted"
            : (now.State is { } file && listed.State is { } state ? file.IsSame(state) : now.Length == listed.Length && (listed.ETag is null || ETags.AreSame(now.ETag, listed.ETag))) ? null
            : "replaced";

    /// <summary>Gets the state of a listing.</summary>
    /// <param name="entry">The entry; null if the listing had none.</param>
    public static TargetState Listed(TreeEntry? entry) => new() { Entry = entry };
}
