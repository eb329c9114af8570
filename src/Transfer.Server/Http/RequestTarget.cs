namespace Transfer.S3.Server.Http;

/// <summary>The target of a request: the raw path as it was sent, and its bucket and key.</summary>
internal sealed record RequestTarget(string RawPath, QueryParameters Query, string? Bucket, string? Key)
{
    private const string VirtualHostSuffix = ".localhost";

    /// <summary>Gets the ID of the version of the object; null for the current one.</summary>
    public string? VersionId => Query["versionId"];

    /// <summary>
    /// Parses the target of the request line without normalizing <c>..</c>, <c>//</c>, or escape sequences, because keys can contain them.
    /// </summary>
    public static RequestTarget Parse(string rawTarget, string host)
    {
        ReadOnlySpan<char> target = rawTarget;
        if (!target.StartsWith('/'))
        {
            target = FromAbsoluteForm(target);
        }

        int question = target.IndexOf('?');
        ReadOnlySpan<char> path = question < 0 ? target : target[..question];
        QueryParameters query = QueryParameters.Parse(question < 0 ? [] : target[(question + 1)..]);
        string rawPath = path.ToString();
        if (BucketOfHost(host) is string virtualHostBucket)
        {
            return new RequestTarget(rawPath, query, virtualHostBucket, Decode(path[1..]));
        }

        ReadOnlySpan<char> rest = path[1..];
        int slash = rest.IndexOf('/');
        string? bucket = Decode(slash < 0 ? rest : rest[..slash]);
        return new RequestTarget(rawPath, query, bucket, slash < 0 ? null : Decode(rest[(slash + 1)..]));
    }

    private static ReadOnlySpan<char> FromAbsoluteForm(ReadOnlySpan<char> target)
    {
        int scheme = target.IndexOf("://");
        if (scheme < 0)
        {
            throw S3Errors.InvalidUri();
        }

        ReadOnlySpan<char> afterScheme = target[(scheme + 3)..];
        int slash = afterScheme.IndexOf('/');
        return slash < 0 ? "/" : afterScheme[slash..];
    }

    private static string? BucketOfHost(string host)
    {
        int colon = host.LastIndexOf(':');
        string name = colon > 0 && !host.EndsWith(']') ? host[..colon] : host;
        return name.Length > VirtualHostSuffix.Length && name.EndsWith(VirtualHostSuffix, StringComparison.OrdinalIgnoreCase)
            ? name[..^VirtualHostSuffix.Length]
            : null;
    }

    private static string? Decode(ReadOnlySpan<char> raw)
    {
        if (raw.IsEmpty)
        {
            return null;
        }

        return PercentEncoding.TryDecode(raw, plusIsSpace: false, out string? decoded) ? decoded : throw S3Errors.InvalidUri();
    }
}
