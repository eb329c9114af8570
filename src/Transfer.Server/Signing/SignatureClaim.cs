using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Signing;

/// <summary>The signature of a request and its parameters, from the Authorization header or a presigned query.</summary>
/// <param name="Credential">The access key ID, date, region, and service.</param>
/// <param name="SignedHeaders">The lower-case names of the signed headers, in their order in the request.</param>
/// <param name="Signature">64 hexadecimal digits, as they were sent.</param>
/// <param name="Timestamp">The time of signing, <c>yyyyMMddTHHmmssZ</c>.</param>
/// <param name="ExpiresSeconds">The validity period of a presigned query; null for a header.</param>
internal sealed record SignatureClaim(
    CredentialScope Credential,
    string[] SignedHeaders,
    string Signature,
    string Timestamp,
    int? ExpiresSeconds)
{
    public const string Algorithm = "AWS4-HMAC-SHA256";
    public const string SignatureParameter = "X-Amz-Signature";
    private const string AlgorithmParameter = "X-Amz-Algorithm";

    public bool IsPresigned => ExpiresSeconds is not null;

    /// <summary>Reads the signature; null if the request has none.</summary>
    public static SignatureClaim? Read(IHeaderDictionary headers, QueryParameters query)
    {
        string? authorization = headers.Authorization;
        bool presigned = query.Contains(AlgorithmParameter) || query.Contains(SignatureParameter);
        if (!string.IsNullOrEmpty(authorization))
        {
            return presigned
                ? throw S3Errors.InvalidArgument(
                    "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the "
                    + "Authorization header should be specified",
                    "Authorization",
                    Algorithm)
                : FromHeader(authorization, headers);
        }

        return presigned ? FromQuery(query) : null;
    }

    private static SignatureClaim FromHeader(string authorization, IHeaderDictionary headers)
    {
        if (!authorization.StartsWith(Algorithm, StringComparison.Ordinal))
        {
            throw S3Errors.InvalidRequest($"The authorization mechanism you have provided is not supported. Please use {Algorithm}.");
        }

        string? credentialText = null;
        string? signedHeaders = null;
        string? signature = null;
        const StringSplitOptions Options = StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries;
        foreach (string field in authorization[Algorithm.Length..].Split(',', Options))
        {
            int equals = field.IndexOf('=');
            string value = equals < 0 ? string.Empty : field[(equals + 1)..];
            switch (equals < 0 ? field : field[..equals])
            {
                case "Credential":
                    credentialText = value;
                    break;
                case "SignedHeaders":
                    signedHeaders = value;
                    break;
                case "Signature":
                    signature = value;
                    break;
            }
        }

        if (signedHeaders is null || signature is null || !CredentialScope.TryParse(credentialText, out CredentialScope? credential))
        {
            throw S3Errors.AuthorizationHeaderMalformed("it needs Credential=key/date/region/service/aws4_request, SignedHeaders and Signature.");
        }

        string timestamp = headers["x-amz-date"].ToString();
        if (timestamp.Length == 0)
        {
            DateTimeOffset date = HttpDate.Parse(headers.Date)
                ?? throw S3Errors.AccessDenied("AWS authentication requires a valid Date or x-amz-date header");
            timestamp = SigningTime.Format(date);
        }

        return new SignatureClaim(credential, signedHeaders.Split(';'), signature, timestamp, ExpiresSeconds: null);
    }

    private static SignatureClaim FromQuery(QueryParameters query)
    {
        if (query[AlgorithmParameter] != Algorithm)
        {
            throw S3Errors.AuthorizationQueryParametersError($"X-Amz-Algorithm only supports \"{Algorithm}\"");
        }

        string? signedHeaders = query["X-Amz-SignedHeaders"];
        string? signature = query[SignatureParameter];
        string? timestamp = query["X-Amz-Date"];
        string? expires = query["X-Amz-Expires"];
        if (signedHeaders is null || signature is null || timestamp is null || expires is null || !query.Contains("X-Amz-Credential"))
        {
            throw S3Errors.AuthorizationQueryParametersError(
                "Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, "
                + "X-Amz-SignedHeaders, and X-Amz-Expires parameters.");
        }

        if (!CredentialScope.TryParse(query["X-Amz-Credential"], out CredentialScope? credential))
        {
            throw S3Errors.AuthorizationQueryParametersError(
                "Error parsing the X-Amz-Credential parameter; it should be key/date/region/service/aws4_request.");
        }

        if (!int.TryParse(expires, out int seconds) || seconds is < 0 or > ServerDefaults.MaximumPresignedSeconds)
        {
            throw S3Errors.AuthorizationQueryParametersError(
                $"X-Amz-Expires must be between 0 and {ServerDefaults.MaximumPresignedSeconds} seconds; it is {expires}");
        }

        return new SignatureClaim(credential, signedHeaders.Split(';'), signature, timestamp, seconds);
    }
}
