using System.Collections;
using Amazon.Runtime.Endpoints;

namespace Transfer.S3.Wire.Http;

/// <summary>The authentication scheme of an endpoint, from the SDK's endpoint rules.</summary>
/// <param name="Name">The scheme: <c>sigv4</c>, <c>sigv4a</c> for multi-Region access points, or <c>sigv4-s3express</c> for directory buckets.</param>
/// <param name="SigningName">The service in the signature: <c>s3</c>, <c>s3express</c>, <c>s3-object-lambda</c>, or <c>s3-outposts</c>.</param>
/// <param name="SigningRegion">The Region in the signature; null if the scheme has none or several.</param>
internal sealed record AuthScheme(string Name, string SigningName, string? SigningRegion)
{
    /// <summary>Gets Signature Version 4 for Amazon S3, the only scheme that <see cref="RequestSigner"/> supports.</summary>
    public static AuthScheme S3 { get; } = new("sigv4", "s3", null);

    public bool IsS3 => Name == S3.Name && SigningName == S3.SigningName;

    /// <summary>Gets the scheme that the rules prefer; <see cref="S3"/> if they specify none.</summary>
    public static AuthScheme From(Endpoint endpoint)
        => endpoint.Attributes?["authSchemes"] is IList { Count: > 0 } schemes && schemes[0] is IPropertyBag preferred
            ? new AuthScheme(preferred["name"] as string ?? S3.Name, preferred["signingName"] as string ?? S3.SigningName, preferred["signingRegion"] as string)
            : S3;
}
