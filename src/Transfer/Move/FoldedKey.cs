namespace Transfer.S3.Move;

/// <summary>Gets what a file system can take two keys for: the same path without empty names and dots, in any case.</summary>
internal static class FoldedKey
{
    public static string Get(string key)
    {
        List<string> names = [];
        foreach (string name in key.Replace('\\', '/').Split('/'))
        {
            string folded = name.TrimEnd('.', ' ');
            if (name == "..")
            {
                names.RemoveRange(Math.Max(0, names.Count - 1), Math.Min(1, names.Count));
            }
            else if (folded.Length > 0)
            {
                names.Add(folded);
            }
        }

        return string.Join('/', names).ToUpperInvariant();
    }
}
