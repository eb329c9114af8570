using System.Globalization;

namespace Transfer.S3.Wire.Http;

/// <summary>The endpoint of a bucket.</summary>
/// <param name="Origin">The scheme and the authority.</param>
/// <param name="Host">The Host header: the authority, with the port if it isn't the default of the scheme.</param>
/// <param name="PathPrefix">The path before the key, with a slash at its end.</param>
/// <param name="Region">The region that requests are signed for.</param>
/// <param name="KeepsBodiesWhole">
/// Whether a body is protected in transit, by TLS or because it doesn't leave this machine, so that it doesn't need a signature.
/// </param>
internal sealed record StoreEndpoint(string Origin, string Host, string PathPrefix, string Region, bool KeepsBodiesWhole)
{
    /// <summary>
    /// Gets a value that indicates whether the SDK sends the bucket's requests, because they need another signature, or because only the SDK finds the bucket.
    /// </summary>
    public bool IsLeftToSdk { get; init; }

    /// <summary>Gets the name or the address of the host, without the port and the brackets of an IPv6 address.</summary>
    public string Address { get; private init; } = string.Empty;

    public int Port { get; private init; }

    public bool IsTls => Origin.StartsWith("https:", StringComparison.Ordinal);

    public static StoreEndpoint At(Uri address, string pathPrefix, string region)
    {
        // HTTP sends names in ASCII. The host is signed, so it must be exactly what the connection sends.
        string name = address.HostNameType == UriHostNameType.IPv6 ? address.Host : address.IdnHost;
        string host = address.IsDefaultPort ? name : string.Create(CultureInfo.InvariantCulture, $"{name}:{address.Port}");
        return new StoreEndpoint($"{address.Scheme}://{host}", host, pathPrefix, region, address.Scheme == Uri.UriSchemeHttps || address.IsLoopback)
        {
            Address = address.IdnHost,
            Port = address.Port,
        };
    }
}
