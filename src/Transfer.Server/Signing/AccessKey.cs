namespace Transfer.S3.Server.Signing;

/// <summary>An access key that requests can be signed with.</summary>
/// <param name="Secret">The secret access key.</param>
/// <param name="SessionToken">The session token that requests must contain; null for none.</param>
/// <param name="Expires">When the key expires; null for never.</param>
internal sealed record AccessKey(string Secret, string? SessionToken = null, DateTimeOffset? Expires = null);
