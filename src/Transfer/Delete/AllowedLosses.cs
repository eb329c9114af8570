namespace Transfer.S3.Delete;

/// <summary>The names of properties that the copy of a move needn't have.</summary>
internal static class AllowedLosses
{
    /// <summary>The name that stands for all properties.</summary>
    public const string All = "all";

    /// <summary>The name that stands for all user metadata.</summary>
    private const string Metadata = "metadata";

    /// <summary>Returns whether the loss of a property is allowed.</summary>
    /// <param name="allowed">The names, in any case.</param>
    /// <param name="name">The name of the property, as in <see cref="CopyResult.LostProperties"/>.</param>
    public static bool Contain(IReadOnlyCollection<string> allowed, string name)
        => allowed.Any(one => one.Equals(All, StringComparison.OrdinalIgnoreCase) || one.Equals(name, StringComparison.OrdinalIgnoreCase)
            || (one.Equals(Metadata, StringComparison.OrdinalIgnoreCase) && name.StartsWith(Metadata + " ", StringComparison.Ordinal)));

    /// <summary>Validates the names of an option.</summary>
    public static void Check(IReadOnlyCollection<string> allowed, string name)
    {
        if (allowed.Any(string.IsNullOrWhiteSpace))
        {
            throw new ArgumentException($"{name} contains an empty name; it must contain names as in {nameof(CopyResult)}.{nameof(CopyResult.LostProperties)}, '{Metadata}', or '{All}'.", name);
        }
    }
}
