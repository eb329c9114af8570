namespace Transfer.Server.Http;

/// <summary>Comparison of entity tags as they appear in conditions.</summary>
internal static class ETags
{
    public static string Unquote(string etag)
    {
        ReadOnlySpan<char> text = etag.AsSpan().Trim();
        if (text.StartsWith("W/"))
        {
            text = text[2..];
        }

        return text.Trim('"').ToString();
    }

    /// <summary>Whether a condition, a list of tags or <c>*</c>, names the tag.</summary>
    public static bool Matches(string condition, string etag)
    {
        foreach (Range range in condition.AsSpan().Split(','))
        {
            string candidate = condition[range].Trim();
            if (candidate == "*" || string.Equals(Unquote(candidate), etag, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }

        return false;
    }
}
