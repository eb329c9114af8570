namespace Transfer;

/// <summary>What symbolic links in a local tree mean to an upload of it.</summary>
public enum SymbolicLinks
{
    /// <summary>Files and folders behind links are uploaded as if they stood there. A folder that leads back to one above it is a failure of its own.</summary>
    Follow = 0,

    /// <summary>Links are left out.</summary>
    Skip,
}
