using System.Net;

namespace Transfer.Wire.Http;

/// <summary>Reads where an answer sends a request (Amazon S3 User Guide, "Making requests using the REST API: Request redirection").</summary>
internal static class Redirections
{
    /// <summary>Where the request belongs; null where the answer is an error of another kind.</summary>
    /// <param name="response">The answer.</param>
    /// <param name="body">What its body says.</param>
    public static Redirection? Of(HttpResponseMessage response, ErrorBody body)
    {
        bool moved = response.StatusCode
            is HttpStatusCode.MovedPermanently or HttpStatusCode.Found or HttpStatusCode.TemporaryRedirect or HttpStatusCode.PermanentRedirect;
        bool isOfAnotherRegion = body.Code
            is "AuthorizationHeaderMalformed" or "IllegalLocationConstraintException" or "PermanentRedirect" or "TemporaryRedirect";
        string? region = NullIfEmpty(AnswerHeaders.Get(response, "x-amz-bucket-region")) ?? NullIfEmpty(body.Region);

        // A HEAD that was signed for another region gets that as a 400 without a body.
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
        // An endpoint in the body is a host without a scheme: that of the request stays.
        string? text = AnswerHeaders.Get(response, "Location") ?? (string.IsNullOrEmpty(endpoint) ? null : "//" + endpoint);
        Uri? from = response.RequestMessage?.RequestUri;
        return text is null ? null
            : from is null ? (Uri.TryCreate(text, UriKind.Absolute, out Uri? absolute) ? absolute : null)
            : Uri.TryCreate(from, text, out Uri? location) ? location : null;
    }

    private static string? NullIfEmpty(string? text) => string.IsNullOrWhiteSpace(text) ? null : text.Trim();
}
