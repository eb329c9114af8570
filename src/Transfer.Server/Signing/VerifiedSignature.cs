namespace Transfer.Server.Signing;

/// <summary>A signature that was right, and what the chunks of the body are verified with.</summary>
internal sealed record VerifiedSignature(SignatureClaim Claim, SigningKey Key);
