using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>A certificate authority that only clients trust that are configured to.</summary>
internal sealed class TestAuthority : IDisposable
{
    private static readonly DateTimeOffset From = new(2020, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly DateTimeOffset To = From.AddYears(50);
    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private byte _serial;

    public TestAuthority(string name = "CN=A private authority")
        => Certificate = Request(name, _key, isAuthority: true).CreateSelfSigned(From, To);

    private TestAuthority(string name, TestAuthority above)
    {
        using X509Certificate2 issued = above.Sign(Request(name, _key, isAuthority: true), To);
        Certificate = issued.CopyWithPrivateKey(_key);
    }

    public X509Certificate2 Certificate { get; }

    /// <summary>Creates an authority below this one.</summary>
    public TestAuthority CreateIntermediate() => new("CN=An intermediate authority", this);

    /// <summary>Issues a server certificate.</summary>
    /// <param name="host">The host name of the certificate; null for the loopback addresses.</param>
    /// <param name="isExpired">Whether the certificate has expired.</param>
    public X509Certificate2 Issue(string? host = null, bool isExpired = false)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        CertificateRequest request = Request("CN=" + (host ?? "localhost"), key, isAuthority: false);
        SubjectAlternativeNameBuilder names = new();
        names.AddDnsName(host ?? "localhost");
        if (host is null)
        {
            names.AddIpAddress(IPAddress.Loopback);
        }

        request.CertificateExtensions.Add(names.Build());
        using X509Certificate2 issued = Sign(request, isExpired ? From.AddYears(1) : To.AddDays(-1));
        using X509Certificate2 whole = issued.CopyWithPrivateKey(key);
        return X509CertificateLoader.LoadPkcs12(whole.Export(X509ContentType.Pfx), password: null);
    }

    public void Dispose()
    {
        Certificate.Dispose();
        _key.Dispose();
    }

    private static CertificateRequest Request(string name, ECDsa key, bool isAuthority)
    {
        CertificateRequest request = new(name, key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(isAuthority, hasPathLengthConstraint: false, 0, critical: true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        return request;
    }

    private X509Certificate2 Sign(CertificateRequest request, DateTimeOffset until) => request.Create(Certificate, From, until, [++_serial]);
}
