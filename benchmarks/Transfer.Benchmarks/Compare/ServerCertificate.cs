using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Creates the certificate of a local server, which contenders are configured to trust.</summary>
internal static class ServerCertificate
{
    /// <summary>Writes a certificate and its key to files.</summary>
    public static async Task WriteAsync(string certificatePath, string keyPath)
    {
        using X509Certificate2 certificate = Create();
        using RSA key = certificate.GetRSAPrivateKey()!;
        await File.WriteAllTextAsync(keyPath, key.ExportPkcs8PrivateKeyPem());
        await File.WriteAllTextAsync(certificatePath, certificate.ExportCertificatePem());
    }

    public static X509Certificate2 Create()
    {
        using RSA key = RSA.Create(2048);
        CertificateRequest request = new("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        SubjectAlternativeNameBuilder names = new();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        using X509Certificate2 certificate = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddDays(1));
        return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pfx), null, X509KeyStorageFlags.Exportable);
    }
}
