namespace Transfer.S3.Cli.Options;

/// <summary>The names of checksum algorithms on the command line and in JSON: those of the library, in lower case.</summary>
/// <remarks><see cref="ChecksumAlgorithm.ContentMd5"/> has none. The default uses it by itself for stores that support no other algorithm.</remarks>
internal static class ChecksumText
{
    private static readonly string[] Algorithms = [.. Enum.GetValues<ChecksumAlgorithm>().Select(GetName).OfType<string>()];

    /// <summary>Gets the values of <c>--checksum</c>.</summary>
    public static string[] Names { get; } = ["auto", .. Algorithms, "none"];

    /// <summary>Gets the values of <c>--checksum</c> for messages.</summary>
    public static string Accepted { get; } = EnumText.AnyOf(Names);

    /// <summary>Gets the names of the algorithms in S3, for messages.</summary>
    public static string AcceptedS3Names { get; } = EnumText.AnyOf([.. Algorithms.Select(GetS3Name)]);

    /// <summary>Gets the name of an algorithm; null if the value names none.</summary>
    public static string? GetName(ChecksumAlgorithm algorithm)
        => algorithm is ChecksumAlgorithm.Auto or ChecksumAlgorithm.None or ChecksumAlgorithm.ContentMd5 ? null : algorithm.ToString().ToLowerInvariant();

    public static bool TryParse(string text, out ChecksumAlgorithm value)
    {
        value = default;
        return Names.Contains(text, StringComparer.OrdinalIgnoreCase) && Enum.TryParse(text, ignoreCase: true, out value);
    }

    /// <summary>Parses the name of an algorithm in S3, such as CRC64NVME.</summary>
    public static bool TryParseS3Name(string? text, out ChecksumAlgorithm value)
    {
        value = default;
        return text is not null && Array.Exists(Algorithms, name => GetS3Name(name) == text) && TryParse(text, out value);
    }

    private static string GetS3Name(string name) => name.ToUpperInvariant();
}
