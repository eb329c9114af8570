namespace Transfer.S3;

/// <summary>Converts a prefix to that of a folder: <c>photos</c> becomes <c>photos/</c>, so that it doesn't include <c>photos-old/a</c>.</summary>
internal static class KeyPrefix
{
    public static string Normalize(string prefix)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        return prefix.Length == 0 || prefix.EndsWith('/') ? prefix : prefix + "/";
    }
}
