namespace Transfer.Wire;

/// <summary>Entity tags are compared as stores send them: with quotes, without, weak or not hex at all.</summary>
internal static class ETags
{
    /// <summary>Whether two entity tags are the same, whichever of them carries its quotes; an absent one differs from nothing.</summary>
    public static bool AreSame(string? one, string? other)
        => string.IsNullOrEmpty(one) || string.IsNullOrEmpty(other) || one.AsSpan().Trim('"').SequenceEqual(other.AsSpan().Trim('"'));
}
