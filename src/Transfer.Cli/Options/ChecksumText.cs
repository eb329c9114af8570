namespace Transfer.Cli.Options;

/// <summary>The names of checksum algorithms on the command line and in JSON: those of the library, in lower case.</summary>
internal static class ChecksumText
{
    /// <summary>Gets the values of <c>--checksum</c>.</summary>
    public static string[] Names { get; } =
    [
        Text(ChecksumAlgorithm.Auto),
        .. Enum.GetValues<ChecksumAlgorithm>().Where(static algorithm => NameOf(algorithm) is not null && algorithm is not (ChecksumAlgorithm.Sha1 or ChecksumAlgorithm.Md5)).Select(Text),
        Text(ChecksumAlgorithm.None),
    ];

    /// <summary>Gets the values of <c>--checksum</c> for messages.</summary>
    public static string Accepted { get; } = $"{string.Join(", ", Names[..^1])}, or {Names[^1]}";

    /// <summary>Gets the name of an algorithm; null if the value names none.</summary>
    public static string? NameOf(ChecksumAlgorithm algorithm) => algorithm is ChecksumAlgorithm.Auto or ChecksumAlgorithm.None ? null : Text(algorithm);

    public static bool TryParse(string text, out ChecksumAlgorithm value)
    {
        value = default;
        return Names.Contains(text, StringComparer.OrdinalIgnoreCase) && Enum.TryParse(text, ignoreCase: true, out value);
    }

    private static string Text(ChecksumAlgorithm algorithm) => algorithm.ToString().ToLowerInvariant();
}
