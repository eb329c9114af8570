namespace Transfer.S3.Cli.Options;

/// <summary>The attributes of files that a copy keeps.</summary>
internal readonly record struct KeptAttributes(bool LastModified, bool Permissions, bool Owner)
{
    public static string Accepted => OperatingSystem.IsWindows() ? "mtime"
        : OperatingSystem.IsLinux() ? "mtime, mode, and owner, separated by commas"
        : "mtime and mode, separated by a comma";

    public static bool TryParse(string text, out KeptAttributes attributes)
    {
        attributes = default;
        foreach (string name in text.Split(',', StringSplitOptions.TrimEntries))
        {
            switch (name)
            {
                case "mtime":
                    attributes = attributes with { LastModified = true };
                    break;
                case "mode" when !OperatingSystem.IsWindows():
                    attributes = attributes with { Permissions = true };
                    break;
                case "owner" when OperatingSystem.IsLinux():
                    attributes = attributes with { Owner = true };
                    break;
                default:
                    return false;
            }
        }

        return true;
    }
}
