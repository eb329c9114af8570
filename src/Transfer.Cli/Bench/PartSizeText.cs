namespace Transfer.S3.Cli.Bench;

/// <summary>Parses part sizes: a preset, or any size.</summary>
internal static class PartSizeText
{
    public const string Accepted = "XS (1MB), S (4MB), M (8MB), L (64MB), XL (256MB), XXL (1GB), and sizes such as 8MiB, separated by commas";

    /// <summary>As in all sizes, MB and GB are powers of 1000.</summary>
    private static readonly (string Name, long Bytes)[] Presets =
        [("XS", 1_000_000), ("S", 4_000_000), ("M", 8_000_000), ("L", 64_000_000), ("XL", 256_000_000), ("XXL", 1_000_000_000)];

    public static bool TryParse(string text, out long bytes)
    {
        string name = text.Trim();
        foreach ((string preset, long size) in Presets)
        {
            if (preset.Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                bytes = size;
                return true;
            }
        }

        return ByteSize.TryParse(name, out bytes) && bytes > 0;
    }
}
