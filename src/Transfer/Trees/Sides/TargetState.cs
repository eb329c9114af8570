using Transfer.S3.Upload;

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

    /// <summary>Gets the state of a listing.</summary>
    /// <param name="entry">The entry; null if the listing had none.</param>
    public static TargetState Listed(TreeEntry? entry) => new() { Entry = entry };
}
