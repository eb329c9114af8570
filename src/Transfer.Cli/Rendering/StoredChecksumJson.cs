namespace Transfer.Cli.Rendering;

/// <summary>A checksum that the store holds.</summary>
/// <param name="Algorithm">The name of the algorithm, such as "crc64nvme".</param>
/// <param name="Value">The checksum in base64, as in S3.</param>
/// <param name="Type">"full_object" or "composite".</param>
internal sealed record StoredChecksumJson(string Algorithm, string Value, string Type)
{
    /// <summary>Gets the checksum of which there is a value; null if there is none.</summary>
    public static StoredChecksumJson? Of(string? type, params ReadOnlySpan<(string Algorithm, string? Value)> checksums)
    {
        foreach ((string algorithm, string? value) in checksums)
        {
            if (!string.IsNullOrEmpty(value))
            {
                // A store that doesn't name the type marks a composite checksum by the number of parts.
                bool isComposite = type == "COMPOSITE" || (string.IsNullOrEmpty(type) && value.Contains('-', StringComparison.Ordinal));
                return new StoredChecksumJson(algorithm, value, isComposite ? "composite" : "full_object");
            }
        }

        return null;
    }
}
