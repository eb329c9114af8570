using Transfer.S3.Delete;
using Transfer.S3.Files;

namespace Transfer.S3.Trees;

/// <summary>Checks that a local target is still what the listing showed.</summary>
internal static class LocalState
{
    /// <param name="path">The path to examine.</param>
    /// <param name="shown">The path in messages.</param>
    /// <param name="listed">The file in the listing.</param>
    /// <exception cref="TransferException">Thrown when the file was changed, replaced, or deleted (<see cref="TransferError.PreconditionFailed"/>).</exception>
    public static void Check(string path, string shown, TreeEntry listed) => FileDeleter.Check(path, shown, Get(listed));

    /// <summary>Gets the state of a file in the listing, as far as it is known.</summary>
    public static FileIdentity Get(TreeEntry listed) => listed.State ?? new FileIdentity(listed.Length, listed.LastWrite, 0, 0);

    /// <summary>Returns whether there is anything at a path, also a link to nothing.</summary>
    public static bool Exists(string path) => Path.Exists(path) || new FileInfo(path).LinkTarget is not null;
}
