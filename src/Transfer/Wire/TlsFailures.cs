using System.Security.Authentication;

namespace Transfer.S3.Wire;

/// <summary>Describes errors of TLS connections.</summary>
internal static class TlsFailures
{
    private const string Untrusted = "its certificate was issued by an untrusted certificate authority";

    // .NET reports the reason only in the message, as names of SslPolicyErrors and X509ChainStatusFlags.
    private static readonly (string Flag, string Text)[] Reasons =
    [
        ("RemoteCertificateNotAvailable", "it has no certificate"),
        ("RemoteCertificateNameMismatch", "its certificate is for another name"),
        ("NotTimeValid", "its certificate has expired or is not valid yet"),
        ("Revoked", "its certificate was revoked"),
        ("NotSignatureValid", "its certificate was not signed by the authority that it names"),
        ("UntrustedRoot", Untrusted),
        ("PartialChain", Untrusted),

        // SslStream's message for bytes that aren't TLS. They are mostly those of a server for plain HTTP.
        ("frame size or a corrupted frame", "it does not use TLS: is its URL http:// instead of https://?"),
    ];

    /// <summary>Converts the error of a handshake; null if the request failed for another reason.</summary>
    public static WireException? Find(HttpRequestException e)
    {
        if (e.InnerException is AuthenticationException refused)
        {
            // A retry would get the same certificate and protocol.
            string[] reasons = [.. Reasons.Where(reason => refused.Message.Contains(reason.Flag, StringComparison.Ordinal)).Select(reason => reason.Text).Distinct()];
            string text = reasons.Length > 0 ? string.Join(", and ", reasons) : (refused.InnerException?.GetBaseException() ?? refused).Message;
            return new WireException(FailureKind.Final, $"could not establish a TLS connection to the endpoint: {text}", e);
        }

        return e.HttpRequestError == HttpRequestError.SecureConnectionError
            ? new WireException(FailureKind.Transient, $"could not establish a TLS connection to the endpoint: the connection was closed unexpectedly: {(e.InnerException ?? e).Message}", e)
            : null;
    }
}
