using System.Net;
using System.Net.Http.Headers;

namespace Transfer.S3.Wire.Http;

/// <summary>Reads the target of a redirection (Amazon S3 User Guide, "Making requests using the REST API: Request redirection").</summary>
internal static class Redirections
{
    private static readonly UriCreationOptions AsWritten = new() { DangerousDisablePathAndQueryCanonicalization = true };

    /// <summary>Gets the target of a redirection; null if the response is another error.</summary>
    /// <param name="response">The response.</param>
    /// <param name="body">The content of its body.</param>
    public static Redirection? Find(HttpResponseMessage response, ErrorBody body)
    {
        bool moved = response.StatusCode
            is HttpStatusCode.MovedPermanently or HttpStatusCode.Found or HttpStatusCode.TemporaryRedirect or HttpStatusCode.PermanentRedirect;
        string? region = NullIfEmpty(S3ResponseHeaders.Get(response, "x-amz-bucket-region")) ?? NullIfEmpty(body.Region) ?? Redirection.ExpectedRegion(body.Code, body.Message);
        bool isOfAnotherRegion = body.Code is "AuthorizationHeaderMalformed" or "IllegalLocationConstraintException" or "PermanentRedirect" or "TemporaryRedirect"

            // A store that signs with its own region, whatever the request names, can't tell another region from a wrong secret.
            || (body.Code == "SignatureDoesNotMatch" && region is not null && SignedRegion(response.RequestMessage) is { } signed && signed != region);

        // The response to a HEAD request that was signed for another region has status 400 and no body.
        bool mayBeOfAnotherRegion = response.StatusCode == HttpStatusCode.BadRequest && body.Code is null && region is not null;
        if (!moved && !isOfAnotherRegion && !mayBeOfAnotherRegion)
        {
            return null;
        }

        bool isLasting = response.StatusCode is not (HttpStatusCode.Found or HttpStatusCode.TemporaryRedirect) && body.Code != "TemporaryRedirect";
        return new Redirection(region, Location(response, body.Endpoint), isLasting);
    }

    private static Uri? Location(HttpResponseMessage response, string? endpoint)
    {
        // An endpoint in the body is a host without a scheme, so the scheme of the request is used.
        string? text = S3ResponseHeaders.Get(response, "Location") ?? (string.IsNullOrEmpty(endpoint) ? null : "//" + endpoint);
        return text is null ? null : Resolve(response.RequestMessage?.RequestUri, text);
    }

    /// <summary>Resolves a location. Segments such as <c>..</c> are kept, because they are part of a key.</summary>
    private static Uri? Resolve(Uri? from, string text)
    {
        string absolute = from is null ? text
            : text.StartsWith("//", StringComparison.Ordinal) ? $"{from.Scheme}:{text}"
            : text.StartsWith('/') ? $"{from.Scheme}://{from.Authority}{text}"
            : text;
        return Uri.TryCreate(absolute, in AsWritten, out Uri? location) || (from is not null && Uri.TryCreate(from, text, out location)) ? location : null;
    }

    /// <summary>Gets the region that a request was signed for; null if it has no signature.</summary>
    private static string? SignedRegion(HttpRequestMessage? request)
        => request?.Headers.NonValidated.TryGetValues("Authorization", out HeaderStringValues values) == true
            && values.ToString().Split("Credential=", 2) is [_, string credential] && credential.Split(',', 2)[0].Split('/') is [.., string region, _, _]
            ? region
            : null;

    private static string? NullIfEmpty(string? text) => string.IsNullOrWhiteSpace(text) ? null : text.Trim();
}
