namespace Transfer.S3.Wire.Http;

/// <summary>A redirection that was followed.</summary>
/// <param name="From">The endpoint that the request was sent to first.</param>
/// <param name="To">The endpoint that the request was sent to last.</param>
/// <param name="IsLasting">Whether it applies to later requests too.</param>
internal sealed record FollowedRedirection(StoreEndpoint From, StoreEndpoint To, bool IsLasting);
