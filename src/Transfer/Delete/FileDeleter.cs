using Transfer.S3.Files;

namespace Transfer.S3.Delete;

/// <summary>Deletes files: the only place that deletes what the library hasn't created itself. A file in another state than the one on which this was decided remains.</summary>
internal static class FileDeleter
{
    /// <summary>Deletes a file.</summary>
    /// <param name="path">The path of the file.</param>
    /// <param name="shown">The path in messages.</param>
    /// <param name="state">The state of the file on which the deletion was decided.</param>
    /// <exception cref="TransferException">The file was changed or replaced (<see cref="TransferError.PreconditionFailed"/>).</exception>
    public static void Delete(string path, string shown, FileIdentity state)
    {
        Check(path, shown, state);
        File.Delete(path);
    }

    /// <summary>Checks that a file is in the state on which something was decided.</summary>
    /// <exception cref="TransferException">The file was changed, replaced, or deleted (<see cref="TransferError.PreconditionFailed"/>).</exception>
    public static void Check(string path, string shown, FileIdentity state)
    {
        if (FileIdentity.At(path, followsLinks: false)?.IsSame(state) != true)
        {
            throw new TransferException($"'{shown}' was changed after it was listed.") { Error = TransferError.PreconditionFailed };
        }
    }
}
