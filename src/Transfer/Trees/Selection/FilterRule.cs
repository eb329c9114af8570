namespace Transfer.S3;

/// <summary>One of the ordered rules of an <see cref="ObjectFilter"/>.</summary>
/// <param name="Pattern">The pattern of paths. For its syntax, see <see cref="TreeOptions.Include"/>.</param>
/// <param name="IsIncluded"><see langword="true"/> if matching paths are selected; <see langword="false"/> if they are not.</param>
public sealed record FilterRule(string Pattern, bool IsIncluded);
