using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Signing;

/// <summary>Verifies Signature Version 4 in the Authorization header or in a presigned query.</summary>
internal sealed class SignatureVerifier(ResolvedOptions options)
{
    private const string Service = "s3";
    private DatedKey? _latestKey;

    /// <summary>Gets the access keys that requests can be signed with.</summary>
    public AccessKeyTable AccessKeys { get; } = new(options);

    /// <summary>Verifies a request before its body is read.</summary>
    /// <param name="method">The method.</param>
    /// <param name="target">Path and query.</param>
    /// <param name="headers">The headers.</param>
    /// <param name="clockSkew">The time by which the clock of the server is simulated to be ahead.</param>
    /// <returns>The signature, or null if there is none and none is required, and how the body is protected.</returns>
    public (VerifiedSignature? Signature, PayloadHash Payload) Verify(
        string method,
        RequestTarget target,
        IHeaderDictionary headers,
        TimeSpan clockSkew = default)
    {
        SignatureClaim? claim = SignatureClaim.Read(headers, target.Query);
        string? contentHash = headers[PayloadHash.HeaderName];
        if (claim is null)
        {
            return options.AllowAnonymous ? (null, AnonymousPayload(contentHash)) : throw S3Errors.AccessDenied();
        }

        AccessKey accessKey = CheckCredential(claim);
        CheckTime(claim, options.Time.GetUtcNow() + clockSkew);
        CheckSignedHeaders(claim, headers);
        CheckToken(accessKey, target.Query["X-Amz-Security-Token"] ?? headers["x-amz-security-token"]);

        PayloadHash payload = GetPayload(claim, target.Query, contentHash);
        SigningKey key = KeyFor(accessKey.Secret, claim.Credential.Date);
        string canonical = CanonicalRequest.Build(method, target.RawPath, target.Query, headers, claim.SignedHeaders, payload.Value);
        string text = SigningKey.StringToSign(claim.Timestamp, claim.Credential.Scope, canonical);
        return SigningKey.AreEqual(key.Sign(text), claim.Signature)
            ? (new VerifiedSignature(claim, key), payload)
            : throw S3Errors.SignatureDoesNotMatch(claim.Credential.AccessKeyId, text, canonical);
    }

    /// <summary>Gets how the body of a request without a signature is protected.</summary>
    public static PayloadHash AnonymousPayload(string? contentHash)
    {
        PayloadHash payload = contentHash is null ? PayloadHash.Unsigned : PayloadHash.Parse(contentHash);
        return payload.HasSignedChunks ? throw S3Errors.AccessDenied("Signed chunks need a signed request") : payload;
    }

    private static PayloadHash GetPayload(SignatureClaim claim, QueryParameters query, string? contentHash)
    {
        if (!claim.IsPresigned)
        {
            return contentHash is null
                ? throw S3Errors.InvalidRequest($"Missing required header for this request: {PayloadHash.HeaderName}")
                : PayloadHash.Parse(contentHash);
        }

        string? value = query["X-Amz-Content-Sha256"];
        if (value is null && claim.SignedHeaders.Contains(PayloadHash.HeaderName))
        {
            value = contentHash;
        }

        return value is null ? PayloadHash.Unsigned : PayloadHash.Parse(value);
    }

    /// <summary>Finds the access key of a signature, and checks for what it was made.</summary>
    public AccessKey CheckCredential(SignatureClaim claim)
    {
        CredentialScope credential = claim.Credential;
        AccessKey key = AccessKeys.Find(credential.AccessKeyId) ?? throw S3Errors.InvalidAccessKeyId(credential.AccessKeyId);

        if (credential.Region != options.Region)
        {
            throw Malformed(
                claim,
                $"the region '{credential.Region}' is wrong; expecting '{options.Region}'",
                new KeyValuePair<string, string>("Region", options.Region));
        }

        if (credential.Service != Service)
        {
            throw Malformed(claim, $"incorrect service \"{credential.Service}\". This endpoint belongs to \"{Service}\".");
        }

        if (!claim.Timestamp.StartsWith(credential.Date, StringComparison.Ordinal))
        {
            throw Malformed(claim, $"the credential's date \"{credential.Date}\" is not that of the request.");
        }

        return key;
    }

    public void CheckToken(AccessKey key, string? token)
    {
        if (token is null ? key.SessionToken is not null : key.SessionToken is null || !SigningKey.AreEqual(key.SessionToken, token))
        {
            throw S3Errors.InvalidToken();
        }

        if (options.Time.GetUtcNow() >= key.Expires)
        {
            throw S3Errors.ExpiredToken();
        }
    }

    private static S3Exception Malformed(SignatureClaim claim, string message, params KeyValuePair<string, string>[] details) =>
        claim.IsPresigned
            ? new S3Exception(400, "AuthorizationQueryParametersError", $"Error parsing the X-Amz-Credential parameter; {message}", details)
            : S3Errors.AuthorizationHeaderMalformed(message, details);

    private static void CheckTime(SignatureClaim claim, DateTimeOffset now)
    {
        if (!SigningTime.TryParse(claim.Timestamp, out DateTimeOffset signed))
        {
            throw claim.IsPresigned
                ? S3Errors.AuthorizationQueryParametersError("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"")
                : S3Errors.AccessDenied("AWS authentication requires a valid Date or x-amz-date header");
        }

        if (claim.ExpiresSeconds is int seconds)
        {
            if (signed - now > ServerDefaults.MaximumClockSkew)
            {
                throw S3Errors.AccessDenied(
                    "Request is not valid yet", new("X-Amz-Expires", $"{seconds}"), new("ServerTime", XmlResponse.Timestamp(now)));
            }

            DateTimeOffset end = signed.AddSeconds(seconds);
            if (now > end || seconds == 0)
            {
                throw S3Errors.AccessDenied(
                    "Request has expired",
                    new("X-Amz-Expires", $"{seconds}"),
                    new("Expires", XmlResponse.Timestamp(end)),
                    new("ServerTime", XmlResponse.Timestamp(now)));
            }
        }
        else if ((now - signed).Duration() > ServerDefaults.MaximumClockSkew)
        {
            throw S3Errors.RequestTimeTooSkewed(claim.Timestamp, now);
        }
    }

    /// <summary>Checks that Host and every x-amz-* header are signed. Otherwise, anyone could change them.</summary>
    private static void CheckSignedHeaders(SignatureClaim claim, IHeaderDictionary headers)
    {
        string? notSigned = claim.SignedHeaders.Contains("host") ? null : "host";
        foreach (string name in headers.Keys)
        {
            if (name.StartsWith("x-amz-", StringComparison.OrdinalIgnoreCase)
                && !claim.SignedHeaders.Contains(name, StringComparer.OrdinalIgnoreCase)
                && !(claim.IsPresigned && string.Equals(name, PayloadHash.HeaderName, StringComparison.OrdinalIgnoreCase)))
            {
                notSigned = notSigned is null ? name.ToLowerInvariant() : $"{notSigned}, {name.ToLowerInvariant()}";
            }
        }

        if (notSigned is not null)
        {
            throw S3Errors.AccessDenied(
                "There were headers present in the request which were not signed",
                new KeyValuePair<string, string>("HeadersNotSigned", notSigned));
        }
    }

    /// <summary>Gets the signing key, which all requests of a day and a secret share. Concurrent calls may compute it twice, which is harmless.</summary>
    public SigningKey KeyFor(string secret, string date)
    {
        if (Volatile.Read(ref _latestKey) is { } latest && latest.Date == date && latest.Secret == secret)
        {
            return latest.Key;
        }

        var key = new SigningKey(secret, date, options.Region, Service);
        Volatile.Write(ref _latestKey, new DatedKey(secret, date, key));
        return key;
    }

    private sealed record DatedKey(string Secret, string Date, SigningKey Key);
}
