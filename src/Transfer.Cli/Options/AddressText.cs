using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Options;

/// <summary>Formats an address without its secrets: the user information, and the query, which is the signature of a presigned URL.</summary>
internal static class AddressText
{
    private const string Hidden = "...";

    public static string WithoutSecrets(string text)
    {
        int query = text.IndexOf('?', StringComparison.Ordinal);
        string address = query < 0 ? text : text[..query];
        int scheme = address.IndexOf("://", StringComparison.Ordinal);
        int start = scheme < 0 ? 0 : scheme + "://".Length;
        int slash = address.IndexOf('/', start);
        int at = address[start..(slash < 0 ? address.Length : slash)].LastIndexOf('@');
        string shown = at < 0 ? address : address[..start] + Hidden + address[(start + at)..];
        return Printable.Text(query < 0 ? shown : $"{shown}?{Hidden}");
    }
}
