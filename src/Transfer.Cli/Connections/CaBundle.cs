using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Connections;

/// <summary>Reads the file with the certificates to trust instead of the system's.</summary>
internal static class CaBundle
{
    private const string Accepted = "a PEM file with certificates";

    /// <exception cref="UsageException">Thrown when the file can't be read or contains no certificate.</exception>
    public static X509Certificate2Collection Read(GivenValue file)
    {
        X509Certificate2Collection certificates = [];
        try
        {
            certificates.ImportFromPemFile(file.Text);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException)
        {
            throw OptionValues.Wrong(file, $"{Accepted}, but this file can't be read: {MessageStyle.Apply(e.Message)}");
        }

        return certificates.Count > 0 ? certificates : throw OptionValues.Wrong(file, $"{Accepted}, but this file has no certificate in it");
    }
}
