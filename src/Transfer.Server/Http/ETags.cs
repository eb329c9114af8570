namespace Transfer.S3.Server.Http;

/// <summary>Compares ETags in conditions.</summary>
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

    /// <summary>Returns a value that indicates whether a condition, a list of ETags or <c>*</c>, includes the ETag.</summary>
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
