using System.Security.Authentication;

namespace Transfer.Wire;

/// <summary>Says what is wrong where no TLS connection comes about.</summary>
internal static class TlsFailures
{
    private const string Untrusted = "its certificate was issued by an authority that is not trusted here";

    // .NET tells it by names of SslPolicyErrors and X509ChainStatusFlags in the text alone.
    private static readonly (string Flag, string Text)[] Reasons =
    [
        ("RemoteCertificateNotAvailable", "it has no certificate"),
        ("RemoteCertificateNameMismatch", "its certificate is for another name"),
        ("NotTimeValid", "its certificate has expired or is not valid yet"),
        ("Revoked", "its certificate was revoked"),
        ("NotSignatureValid", "its certificate was not signed by the authority that it names"),
        ("UntrustedRoot", Untrusted),
        ("PartialChain", Untrusted),
    ];

    /// <summary>The failure of a handshake; null where the request failed of something else.</summary>
    public static WireException? Of(HttpRequestException e)
    {
        if (e.InnerException is AuthenticationException refused)
        {
            // Neither a certificate nor a protocol is another one the next time.
            string[] reasons = [.. Reasons.Where(reason => refused.Message.Contains(reason.Flag, StringComparison.Ordinal)).Select(reason => reason.Text).Distinct()];
            string text = reasons.Length > 0 ? string.Join(", and ", reasons) : (refused.InnerException?.GetBaseException() ?? refused).Message;
            return new WireException(FailureKind.Final, $"no TLS connection to the endpoint: {text}", e);
        }

        return e.HttpRequestError == HttpRequestError.SecureConnectionError
            ? new WireException(FailureKind.Transient, $"no TLS connection to the endpoint: the connection was closed unexpectedly: {(e.InnerException ?? e).Message}", e)
            : null;
    }
}
