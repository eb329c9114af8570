namespace Transfer.S3.Wire;

/// <summary>The target of a redirection.</summary>
/// <param name="Region">The region of the bucket; null if the response contains none.</param>
/// <param name="Location">The new address; null if the response contains none.</param>
/// <param name="IsLasting">Whether the redirection applies to later requests too.</param>
internal sealed record Redirection(string? Region, Uri? Location, bool IsLasting)
{
    /// <summary>Gets what the store returned about the bucket, for messages; empty if it returned nothing.</summary>
    public string Text => Region is not null ? $" (the store returned that the bucket is in the region {Region}; configure the client with this region)"
        : Location is not null ? $" (the store returned that the bucket is at {Location.Host})"
        : string.Empty;

    /// <summary>Gets the region that an error names only in its message, such as "the region 'us-east-1' is wrong; expecting 'eu-west-1'"; null if it names none.</summary>
    public static string? ExpectedRegion(string? code, string? message)
    {
        const string Before = "expecting ";
        int start = code == "AuthorizationHeaderMalformed" && message is not null ? message.IndexOf(Before, StringComparison.Ordinal) : -1;
        if (start < 0)
        {
            return null;
        }

        string[] quoted = message![(start + Before.Length)..].Split('\'', '"');
        return quoted is ["", { Length: > 0 } region, _, ..] && region.All(static c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_') ? region : null;
    }
}
