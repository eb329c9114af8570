using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Signing;

/// <summary>Creates the canonical request, which Signature Version 4 signs, from the request as it was received.</summary>
internal static class CanonicalRequest
{
    public static string Build(
        string method,
        string rawPath,
        QueryParameters query,
        IHeaderDictionary headers,
        IReadOnlyList<string> signedHeaders,
        string payloadHash)
    {
        var text = new StringBuilder(512);
        text.Append(method).Append('\n').Append(Path(rawPath)).Append('\n');
        AppendQuery(text, query);
        text.Append('\n');
        foreach (string name in signedHeaders)
        {
            text.Append(name).Append(':');
            AppendValue(text, headers[name]);
            text.Append('\n');
        }

        text.Append('\n').AppendJoin(';', signedHeaders).Append('\n').Append(payloadHash);
        return text.ToString();
    }

    private static string Path(string rawPath) =>
        PercentEncoding.TryDecode(rawPath, plusIsSpace: false, out string? decoded)
            ? PercentEncoding.Encode(decoded, keepSlash: true)
            : throw S3Errors.InvalidUri();

    private static void AppendQuery(StringBuilder text, QueryParameters query)
    {
        var encoded = new List<(string Name, string Value)>(query.All.Count);
        foreach ((string name, string value) in query.All)
        {
            if (name != SignatureClaim.SignatureParameter)
            {
                encoded.Add((PercentEncoding.Encode(name, keepSlash: false), PercentEncoding.Encode(value, keepSlash: false)));
            }
        }

        encoded.Sort(static (x, y) =>
            string.CompareOrdinal(x.Name, y.Name) is not 0 and int byName ? byName : string.CompareOrdinal(x.Value, y.Value));
        for (int i = 0; i < encoded.Count; i++)
        {
            text.Append(i == 0 ? string.Empty : "&").Append(encoded[i].Name).Append('=').Append(encoded[i].Value);
        }
    }

    /// <summary>Appends header values: trimmed, with repeated spaces collapsed, and joined by commas.</summary>
    private static void AppendValue(StringBuilder text, StringValues values)
    {
        for (int i = 0; i < values.Count; i++)
        {
            if (i > 0)
            {
                text.Append(',');
            }

            bool space = false;
            foreach (char c in values[i].AsSpan().Trim())
            {
                if (c != ' ' || !space)
                {
                    text.Append(c);
                }

                space = c == ' ';
            }
        }
    }
}
