using System.Diagnostics.CodeAnalysis;

namespace Transfer.S3.Server.Signing;

/// <summary>The credential of a signature: <c>key/date/region/service/aws4_request</c>.</summary>
internal sealed record CredentialScope(string AccessKeyId, string Date, string Region, string Service)
{
    private const string Terminator = "aws4_request";

    public string Scope => $"{Date}/{Region}/{Service}/{Terminator}";

    public static bool TryParse(string? text, [NotNullWhen(true)] out CredentialScope? scope)
    {
        scope = null;
        string[] parts = (text ?? string.Empty).Split('/');
        if (parts.Length < 5 || parts[^1] != Terminator)
        {
            return false;
        }

        // An access key ID can contain slashes, but the scope after it can't.
        scope = new CredentialScope(string.Join('/', parts[..^4]), parts[^4], parts[^3], parts[^2]);
        return scope.AccessKeyId.Length > 0;
    }
}
