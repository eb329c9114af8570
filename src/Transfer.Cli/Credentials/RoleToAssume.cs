namespace Transfer.S3.Cli.Credentials;

/// <summary>A role and how to assume it.</summary>
/// <param name="Arn">The ARN of the role.</param>
/// <param name="SessionName">The name of the session; null for a default.</param>
/// <param name="ExternalId">The external ID that the role requires; null for none.</param>
/// <param name="MfaSerial">The MFA device that the role requires; null for none.</param>
internal sealed record RoleToAssume(string Arn, string? SessionName = null, string? ExternalId = null, string? MfaSerial = null);
