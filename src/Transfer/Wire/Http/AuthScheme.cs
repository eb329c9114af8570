using System.Collections;
using Amazon.Runtime.Endpoints;

namespace Transfer.Wire.Http;

/// <summary>How the requests to an endpoint are signed, as the SDK's endpoint rules say.</summary>
/// <param name="Name">The scheme: <c>sigv4</c>, <c>sigv4a</c> for multi-Region access points, <c>sigv4-s3express</c> for directory buckets.</param>
/// <param name="SigningName">The service that a signature names: <c>s3</c>, <c>s3express</c>, <c>s3-object-lambda</c>, <c>s3-outposts</c>.</param>
/// <param name="SigningRegion">The Region that a signature names; null where the scheme has none, or several.</param>
internal sealed record AuthScheme(string Name, string SigningName, string? SigningRegion)
{
    /// <summary>Signature Version 4 for Amazon S3, which is all that <see cref="RequestSigner"/> can make.</summary>
    public static AuthScheme S3 { get; } = new("sigv4", "s3", null);

    public bool IsS3 => Name == S3.Name && SigningName == S3.SigningName;

    /// <summary>The scheme that the rules prefer. Rules that name none mean the one of S3.</summary>
    public static AuthScheme Of(Endpoint endpoint)
        => endpoint.Attributes?["authSchemes"] is IList { Count: > 0 } schemes && schemes[0] is IPropertyBag preferred
            ? new AuthScheme(preferred["name"] as string ?? S3.Name, preferred["signingName"] as string ?? S3.SigningName, preferred["signingRegion"] as string)
            : S3;
}
