namespace Transfer.S3.Server.Signing;

/// <summary>A valid signature and the key that verifies the chunks of the body.</summary>
internal sealed record VerifiedSignature(SignatureClaim Claim, SigningKey Key);
