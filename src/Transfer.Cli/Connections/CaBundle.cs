using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Transfer.Cli.Options;

namespace Transfer.Cli.Connections;

/// <summary>Reads the file of certificates that are trusted instead of the system's.</summary>
internal static class CaBundle
{
    private const string Accepted = "a file of certificates in PEM form";

    /// <exception cref="UsageException">It can't be read, or has none in it.</exception>
    public static X509Certificate2Collection Read(GivenValue file)
    {
        X509Certificate2Collection certificates = [];
        try
        {
            certificates.ImportFromPemFile(file.Text);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException)
        {
            throw OptionValues.Wrong(file, $"{Accepted}, and this one can't be read: {e.Message}");
        }

        return certificates.Count > 0 ? certificates : throw OptionValues.Wrong(file, $"{Accepted}, and this one has no certificate in it");
    }
}
