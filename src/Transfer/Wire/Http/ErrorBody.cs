namespace Transfer.Wire.Http;

/// <summary>What the XML of an S3 error says; null what it leaves out.</summary>
/// <param name="Code">The error's code.</param>
/// <param name="Message">Its text for people.</param>
/// <param name="RequestId">The request's id.</param>
/// <param name="Region">The region that the bucket is in.</param>
/// <param name="Endpoint">The host that the request belongs to.</param>
internal readonly record struct ErrorBody(string? Code, string? Message, string? RequestId, string? Region, string? Endpoint);
