using System.Globalization;
using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Cors;

/// <summary>Tells browsers which pages of other origins can send requests and read responses.</summary>
internal static class CorsHeaders
{
    private const string RequestMethod = "Access-Control-Request-Method";
    private const string RequestHeaders = "Access-Control-Request-Headers";

    /// <summary>Writes the headers of the rule that allows a request. They are part of every response, errors included, so that a page can read it.</summary>
    public static void Write(S3Exchange exchange)
    {
        IHeaderDictionary headers = exchange.Http.Request.Headers;
        if (headers.Origin.Count > 0 && !HttpMethods.IsOptions(exchange.Method) && Find(exchange, []) is { } rule)
        {
            Write(exchange.Http.Response.Headers, rule, headers.Origin.ToString());
        }
    }

    /// <summary>Answers the question of a browser whether a page can send a request. It has no signature.</summary>
    public static Task AnswerPreflightAsync(S3Exchange exchange)
    {
        IHeaderDictionary headers = exchange.Http.Request.Headers;
        string origin = headers.Origin.ToString();
        if (origin.Length == 0)
        {
            throw S3Errors.BadRequest("Insufficient information. Origin request header needed.");
        }

        if (headers.AccessControlRequestMethod.Count == 0)
        {
            throw S3Errors.BadRequest("Invalid Access-Control-Request-Method: null");
        }

        if (exchange.Server.Catalog.FindBucket(exchange.Target.Bucket!) is not { } bucket)
        {
            throw S3Errors.AccessForbidden("CORSResponse: Bucket not found");
        }

        if (bucket.Settings.Cors is null)
        {
            throw S3Errors.AccessForbidden("CORSResponse: CORS is not enabled for this bucket.");
        }

        string[] asked = headers.AccessControlRequestHeaders.ToString().ToLowerInvariant().Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        if (Find(exchange, asked) is not { } rule)
        {
            throw S3Errors.AccessForbidden(
                "CORSResponse: This CORS request is not allowed. This is usually because the evalution of Origin, request method / Access-Control-Request-Method or "
                + "Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.");
        }

        Write(exchange.Http.Response.Headers, rule, origin);
        if (asked.Length > 0)
        {
            exchange.Http.Response.Headers.AccessControlAllowHeaders = string.Join(", ", asked);
        }

        return exchange.AnswerAsync(StatusCodes.Status200OK);
    }

    private static CorsRule? Find(S3Exchange exchange, IReadOnlyList<string> asked)
    {
        IHeaderDictionary headers = exchange.Http.Request.Headers;
        string method = headers.AccessControlRequestMethod.Count > 0 ? headers.AccessControlRequestMethod.ToString() : exchange.Method;
        return exchange.Target.Bucket is { } name ? exchange.Server.Catalog.FindBucket(name)?.Settings.Cors?.Find(headers.Origin.ToString(), method, asked) : null;
    }

    private static void Write(IHeaderDictionary answer, CorsRule rule, string origin)
    {
        answer.AccessControlAllowOrigin = rule.AllowsAnyOrigin ? "*" : origin;
        answer.AccessControlAllowMethods = string.Join(", ", rule.AllowedMethods);
        if (!rule.AllowsAnyOrigin)
        {
            answer.AccessControlAllowCredentials = "true";
        }

        if (rule.ExposeHeaders.Count > 0)
        {
            answer.AccessControlExposeHeaders = string.Join(", ", rule.ExposeHeaders);
        }

        if (rule.MaxAgeSeconds is { } seconds)
        {
            answer.AccessControlMaxAge = seconds.ToString(CultureInfo.InvariantCulture);
        }

        answer.Vary = $"Origin, {RequestHeaders}, {RequestMethod}";
    }
}
