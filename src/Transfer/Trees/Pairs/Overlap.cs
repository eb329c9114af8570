namespace Transfer.S3.Trees;

/// <summary>Determines whether one place contains another: two prefixes of a bucket, or two folders as <see cref="Files.RealPath.ToComparable"/> returns them.</summary>
internal static class Overlap
{
    /// <summary>Returns whether two places are the same, or one of them is in the other.</summary>
    public static bool Exists(string one, string other) => Contains(one, other) || Contains(other, one);

    /// <summary>Returns whether a place is the outer one, or in it.</summary>
    public static bool Contains(string outer, string inner) => inner.StartsWith(outer, StringComparison.Ordinal);
}
