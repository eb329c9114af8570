namespace Transfer.S3.Wire.Http;

/// <summary>The content of an S3 error. A value is null if the error does not contain it.</summary>
/// <param name="Code">The error code.</param>
/// <param name="Message">The error message.</param>
/// <param name="RequestId">The ID of the request.</param>
/// <param name="Region">The region of the bucket.</param>
/// <param name="Endpoint">The host that the request must be sent to.</param>
/// <param name="CanonicalRequest">The request as the store signed it. It can contain secrets.</param>
internal readonly record struct ErrorBody(string? Code, string? Message, string? RequestId, string? Region, string? Endpoint, string? CanonicalRequest);
