using System.Globalization;

namespace Transfer.Wire.Http;

/// <summary>Where a bucket's requests go.</summary>
/// <param name="Origin">Scheme and authority.</param>
/// <param name="Host">The Host header: the authority, with the port where it is not the scheme's own.</param>
/// <param name="PathPrefix">What stands before the key, with a slash at its end.</param>
/// <param name="Region">The region that requests are signed for.</param>
/// <param name="KeepsBodiesWhole">Whether the way there protects a body, by TLS or because it does not leave this machine: then it need not be signed.</param>
internal sealed record StoreEndpoint(string Origin, string Host, string PathPrefix, string Region, bool KeepsBodiesWhole)
{
    /// <summary>Whether the SDK sends the bucket's requests: they have another signature than S3's, or only the SDK finds the bucket.</summary>
    public bool IsLeftToSdk { get; init; }

    public bool IsTls => Origin.StartsWith("https:", StringComparison.Ordinal);

    public static StoreEndpoint At(Uri address, string pathPrefix, string region)
    {
        // As HTTP writes it: names in ASCII. It is signed, so it must be what the connection sends.
        string name = address.HostNameType == UriHostNameType.IPv6 ? address.Host : address.IdnHost;
        string host = address.IsDefaultPort ? name : string.Create(CultureInfo.InvariantCulture, $"{name}:{address.Port}");
        return new StoreEndpoint($"{address.Scheme}://{host}", host, pathPrefix, region, address.Scheme == Uri.UriSchemeHttps || address.IsLoopback);
    }
}
