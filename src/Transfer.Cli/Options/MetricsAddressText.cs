using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Transfer.S3.Cli.Options;

/// <summary>Parses the address of --metrics-address. A port alone is a port of this machine, which other machines can't reach.</summary>
internal static class MetricsAddressText
{
    public const string Accepted = "a port from 0 to 65535, such as 9464, or an IP address of this machine and a port, such as 127.0.0.1:9464 or [::1]:9464";

    private const string LocalName = "localhost";

    public static bool TryParse(string text, out IPEndPoint address)
    {
        address = new IPEndPoint(IPAddress.Loopback, 0);
        int colon = text.LastIndexOf(':');
        string host = colon < 0 ? LocalName : text[..colon];
        if (!int.TryParse(text[(colon + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out int port) || port > IPEndPoint.MaxPort || !TryParseHost(host, out IPAddress ip))
        {
            return false;
        }

        address = new IPEndPoint(ip, port);
        return true;
    }

    private static bool TryParseHost(string host, out IPAddress ip)
    {
        ip = IPAddress.Loopback;
        if (host.Equals(LocalName, StringComparison.OrdinalIgnoreCase))
        {
            return true;
        }

        // .NET also accepts addresses such as "1" and "127.1", and those of IPv6 without brackets.
        bool isBracketed = host is ['[', .., ']'];
        return IPAddress.TryParse(isBracketed ? host[1..^1] : host, out ip!)
            && (isBracketed ? ip.AddressFamily == AddressFamily.InterNetworkV6 : host.Count(letter => letter == '.') == 3 && ip.AddressFamily == AddressFamily.InterNetwork);
    }
}
