namespace Transfer.Directories;

/// <summary>A prefix as a folder: <c>photos</c> is what is in <c>photos/</c>, and not <c>photos-old/a</c> too.</summary>
internal static class KeyPrefix
{
    public static string Of(string prefix)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        return prefix.Length == 0 || prefix.EndsWith('/') ? prefix : prefix + "/";
    }
}
