using Transfer.Cli.Rendering;

namespace Transfer.Cli.Options;

/// <summary>Shows an address that was given, without what may be secret in it: who logs in, and a query, which of a presigned address is its signature.</summary>
internal static class AddressText
{
    private const string Hidden = "...";

    public static string WithoutSecrets(string text)
    {
        int query = text.IndexOf('?', StringComparison.Ordinal);
        string address = query < 0 ? text : text[..(query + 1)] + Hidden;
        int scheme = text.IndexOf("://", StringComparison.Ordinal);
        int start = scheme < 0 ? 0 : scheme + "://".Length;
        int slash = address.IndexOf('/', start);
        int at = address.LastIndexOf('@', (slash < 0 ? address.Length : slash) - 1);
        return Printable.Text(at < start ? address : address[..start] + Hidden + address[at..]);
    }
}
