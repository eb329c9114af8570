namespace Transfer.Cli.Tracing;

/// <summary>Leaves out of a trace what lets others act as the user: credentials, signatures, and keys of encryption.</summary>
internal static class TraceSecrets
{
    public const string Hidden = "(hidden)";

    private static readonly HashSet<string> Headers = new(StringComparer.OrdinalIgnoreCase)
    {
        "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "x-amz-security-token", "x-amz-server-side-encryption-customer-key",
        "x-amz-server-side-encryption-customer-key-MD5", "x-amz-copy-source-server-side-encryption-customer-key", "x-amz-copy-source-server-side-encryption-customer-key-MD5",
        "x-amz-server-side-encryption-context", "X-Amz-Mfa",
    };

    private static readonly HashSet<string> Parameters = new(StringComparer.OrdinalIgnoreCase) { "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "Signature", "AWSAccessKeyId" };

    /// <summary>Gets the value of a header, without its secret.</summary>
    public static string Header(string name, string value) => Headers.Contains(name) ? Hidden : value;

    /// <summary>Gets an address, without the user, the fragment, and the secrets in its query.</summary>
    public static (string Url, IReadOnlyList<HarPair> Query) Address(Uri address)
    {
        string query = address.Query.TrimStart('?');
        List<HarPair> pairs = [];
        List<string> kept = [];
        foreach (string parameter in query.Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            string[] parts = parameter.Split('=', 2);
            string name = Uri.UnescapeDataString(parts[0]);
            bool isSecret = Parameters.Contains(name);
            kept.Add(isSecret ? $"{parts[0]}={Hidden}" : parameter);
            pairs.Add(new HarPair(name, isSecret ? Hidden : Uri.UnescapeDataString(parts.Length > 1 ? parts[1] : string.Empty)));
        }

        string url = $"{address.Scheme}://{address.Authority[(address.Authority.LastIndexOf('@') + 1)..]}{address.AbsolutePath}";
        return (kept.Count == 0 ? url : $"{url}?{string.Join('&', kept)}", pairs);
    }
}
