namespace Transfer.S3.Cli.Options;

/// <summary>Parses a flag in an environment variable.</summary>
internal static class FlagText
{
    public const string Accepted = "1, true, yes, or on, and 0, false, no, or off";

    public static bool TryParse(string text, out bool value)
    {
        value = text.Trim().ToUpperInvariant() is "1" or "TRUE" or "YES" or "ON";
        return value || text.Trim().ToUpperInvariant() is "0" or "FALSE" or "NO" or "OFF";
    }
}
