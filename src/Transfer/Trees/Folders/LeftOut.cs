namespace Transfer.S3.Trees;

/// <summary>Why an entry of a local directory isn't content, although it exists. Its name is neither written, deleted, nor compared on the other side.</summary>
internal enum LeftOut
{
    /// <summary>It is content.</summary>
    None,

    /// <summary>A link that isn't followed. It could lead to a directory, so the same holds for names below it.</summary>
    Link,

    /// <summary>A link whose target doesn't exist. It could lead to a directory, so the same holds for names below it.</summary>
    DanglingLink,

    /// <summary>A file of a transfer that is running, or was interrupted.</summary>
    TransferFile,

    /// <summary>A file that the program writes itself.</summary>
    OwnFile,
}
