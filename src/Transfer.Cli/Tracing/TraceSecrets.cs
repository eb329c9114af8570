namespace Transfer.S3.Cli.Tracing;

/// <summary>Leaves out of a trace what lets others act as the user: credentials, signatures, and keys of encryption.</summary>
internal static class TraceSecrets
{
    public const string Hidden = "(hidden)";

    /// <summary>A shorter text, such as a date or a region, is no secret.</summary>
    private const int LeastSecret = 16;

    private static readonly HashSet<string> Headers = new(StringComparer.OrdinalIgnoreCase)
    {
        "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "x-amz-security-token", "x-amz-server-side-encryption-customer-key",
        "x-amz-server-side-encryption-customer-key-MD5", "x-amz-copy-source-server-side-encryption-customer-key", "x-amz-copy-source-server-side-encryption-customer-key-MD5",
        "x-amz-server-side-encryption-context", "X-Amz-Mfa",
    };

    private static readonly HashSet<string> Parameters = new(StringComparer.OrdinalIgnoreCase) { "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "Signature", "AWSAccessKeyId" };

    /// <summary>Gets the value of a header, without its secret.</summary>
    public static string Header(string name, string value) => Headers.Contains(name) ? Hidden : value;

    /// <summary>Gets the secrets of a request, which a store can repeat in its errors, for example in the canonical request of one whose signature doesn't match.</summary>
    public static IReadOnlyList<string> Find(HttpRequestMessage request)
    {
        IEnumerable<string> headers = request.Headers.NonValidated.Where(static header => Headers.Contains(header.Key))
            .SelectMany(static header => header.Value.SelectMany(static value => value.Split([' ', ',', '/'], StringSplitOptions.RemoveEmptyEntries).Append(value)));
        IEnumerable<string> parameters = request.RequestUri!.Query.TrimStart('?').Split('&', StringSplitOptions.RemoveEmptyEntries)
            .Select(static parameter => parameter.Split('=', 2)).Where(static parts => parts.Length == 2 && Parameters.Contains(Uri.UnescapeDataString(parts[0])))
            .SelectMany(static parts => (string[])[parts[1], Uri.UnescapeDataString(parts[1])]);
        return [.. headers.Concat(parameters).Select(GetValue).Where(static secret => secret.Length >= LeastSecret).Distinct().OrderByDescending(static secret => secret.Length)];
    }

    /// <summary>Replaces secrets in a text of the store.</summary>
    public static string Hide(string text, IReadOnlyList<string> secrets) => secrets.Aggregate(text, static (hidden, secret) => hidden.Replace(secret, Hidden, StringComparison.Ordinal));

    // "Credential=AKIA..." and "Signature=0123..." have names. Base64 ends in "=", too.
    private static string GetValue(string text) => text.StartsWith("Credential=", StringComparison.Ordinal) || text.StartsWith("Signature=", StringComparison.Ordinal) ? text[(text.IndexOf('=', StringComparison.Ordinal) + 1)..] : text;

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
