namespace Transfer.Wire;

/// <summary>Entity tags are compared as stores send them: with quotes, without, weak or not hex at all.</summary>
internal static class ETags
{
    /// <summary>An entity tag as it stands in a condition: with the quotes that callers may leave out. <c>*</c> stands for any.</summary>
    public static string Quoted(string etag) => etag == "*" || etag.Contains('"', StringComparison.Ordinal) ? etag : $"\"{etag}\"";

    /// <summary>Whether two entity tags are the same, whichever of them carries its quotes; an absent one differs from nothing.</summary>
    public static bool AreSame(string? one, string? other)
        => string.IsNullOrEmpty(one) || string.IsNullOrEmpty(other) || one.AsSpan().Trim('"').SequenceEqual(other.AsSpan().Trim('"'));
}
