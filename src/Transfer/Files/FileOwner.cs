namespace Transfer.S3.Files;

/// <summary>The owner of a file.</summary>
/// <param name="User">The ID of the user.</param>
/// <param name="Group">The ID of the group.</param>
internal readonly record struct FileOwner(uint User, uint Group);
